"""Choices from flags and files: checked together, and every experiment is sound."""

from pathlib import Path

import pytest

from isolog.errors import InputError
from isolog.learning.configuration import configured
from isolog.learning.record import read_training_data

EXPERIMENTS = sorted((Path(__file__).parents[2] / "experiments").glob("*.yaml"))


def test_flags_stand_in_place_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("hidden: 5\naggregation: max,sum\nsparsity: [0.1, 0.2]\nbits: 1\n")
    plan = configured(file, {"hidden": 7, "seed": None}).plan
    assert plan.settings.hidden == 7 and plan.settings.aggregation == (1, float("inf"))
    assert (plan.sparsities, plan.bits) == ((0.1, 0.2), (1,))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("aggregation: max,max,sum", "E642"),
        ("a: [", "E643"),
        ("- 1", "E643"),
        ("hiden: 3", "E644"),
        ("epochs: 0", "E644"),
        ("device: tpu", "E644"),
        ("hide: 1.0", "E644"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, text: str, code: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=code):
        configured(file, {})


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda path: path.stem)
def test_experiments_are_sound(experiment: Path) -> None:
    choices = configured(experiment, {})
    assert choices.data is not None
    assert choices.split is None or choices.split.is_file()
    author, year = experiment.stem.split("_")[0].rsplit("-", 1)
    assert author.isalpha() and year.isdigit() and experiment.stem.count("_") == 2


@pytest.mark.data
@pytest.mark.parametrize("experiment", [e for e in EXPERIMENTS if "hinton" in e.stem or "nations" in e.stem])
def test_experiments_find_their_data(experiment: Path, data: Path) -> None:
    choices = configured(experiment, {})
    split = read_training_data(data / str(choices.data), choices.split, choices.literals, 0)
    assert len(split.train.graph) and len(split.test.positives)
