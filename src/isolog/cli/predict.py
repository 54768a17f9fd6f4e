"""`isolog predict`: apply a network, exactly."""

from __future__ import annotations

from isolog.cli.data import Formats, read_data
from isolog.cli.delivery import Delivery
from isolog.cli.options import (
    Data,
    Format,
    IgnoreUnknown,
    Json,
    Literals,
    LiteralsAs,
    Model,
    New,
    Out,
    Quiet,
    WithInput,
)
from isolog.cli.output import say


def command(
    model: Model,
    data: Data,
    output: Out = "-",
    with_input: WithInput = False,
    new: New = False,
    ignore_unknown: IgnoreUnknown = False,
    literals: Literals = LiteralsAs.TERMS,
    format: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the facts that a network derives, decided exactly."""
    from isolog.correspondence.transformation import network_encoding, predict
    from isolog.networks.model_folder import read_model

    delivery = Delivery(output, Formats.parse(format), with_input, new, json, quiet)
    network = read_model(model)
    dataset = read_data(data, delivery.formats, quiet, literals.value)
    forecast = network_encoding(network).forecast(dataset)
    if forecast is not None:
        say(forecast, quiet)
    delivery.deliver(predict(network, dataset, ignore_unknown=ignore_unknown), dataset)
