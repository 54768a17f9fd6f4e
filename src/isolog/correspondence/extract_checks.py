"""What an extraction can be asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from isolog.correspondence.extracted import Form
from isolog.errors import Finding, Findings, InputError, UnsupportedError
from isolog.facts.text import print_predicate_name
from isolog.networks.network import Network


def check_request(network: Network, form: str, has_data: bool, has_bracket: bool, canonical: bool) -> None:
    """Raises what does not fit together."""
    forms = get_args(Form)
    if form not in forms:
        hint = "the forms are " + ", ".join(f"`{known}`" for known in forms)
        raise InputError(Finding("E450", f"there is no form `{form}`", hint=hint))
    if (form == "cover" and not has_data) or (has_data and form != "cover" and not has_bracket):
        message = "a cover needs data to be covered" if form == "cover" else f"a {form} program needs no data"
        hint = "data are for `--form cover`, or for choosing the grid of `--bracket`"
        raise InputError(Finding("E451", message, hint=hint))
    if has_data and network.encoding.name != "canonical" and canonical:
        message = f"data are not encoded by `{network.encoding.name}` here, so a cover of them cannot be found"
        raise UnsupportedError(Finding("E452", message, hint="ask for the flat or the layered program"))


def derived_outputs(network: Network, predicates: Sequence[str]) -> list[int]:
    """The outputs that derive the user predicates, given as `name/arity`; all of them without any given."""
    if not predicates:
        return list(range(len(network.thresholds)))
    outputs = {name: output for output, feature in enumerate(network.features) for name in _names(network, feature)}
    findings = Findings()
    for wanted in predicates:
        if wanted not in outputs:
            known = {str(predicate) for predicate in network.signature.predicates}
            also = " (the network reads it)" if wanted in known else ""
            derived = ", ".join(f"`{_names(network, feature)[-1]}`" for feature in network.features[:8])
            more = ", …" if len(network.features) > 8 else ""
            findings.add("E453", f"the network does not derive `{wanted}`{also}", hint=f"it derives {derived}{more}")
    findings.raise_any()
    return sorted({outputs[wanted] for wanted in predicates})


def _names(network: Network, feature: str) -> list[str]:
    """What users call the predicate of a feature, the way that rules write it last."""
    if network.encoding.name != "canonical":
        return [feature]
    return [f"{feature}/1", f"{print_predicate_name(feature)}/1"]
