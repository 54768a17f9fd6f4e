"""Engines that apply programs to datasets; `reference` defines the meaning."""
