"""What people see: text, pictures and pages."""
