"""Rules that no network with ReLU is equivalent to (`docs/characterisation.md`)."""

PLAIN = "U(X) :- E(X, Y1), A(Y1), E(X, Y2), B(Y2), Y1 != Y2."
INSEPARABLE = [
    PLAIN,
    "U(X) :- E(X, Y1), A(Y1), C(Y1), E(X, Y2), B(Y2), C(Y2), Y1 != Y2.",
    "U(X) :- s(X, Z), E(Z, Y1), A(Y1), E(Z, Y2), B(Y2), Y1 != Y2.",
    "U(X) :- E(X, Y1), E(Y1, Z1), A(Z1), E(X, Y2), E(Y2, Z2), B(Z2), Y1 != Y2.",
    "U(X) :- E(X, Y1), s(Y1, Z1), E(X, Y2), B(Y2), Y1 != Y2.",
    "U(X) :- E(X, Y1), A(Y1), E(X, Y2), B(Y2), E(X, Y3), C(Y3), Y1 != Y2, Y1 != Y3, Y2 != Y3.",
]
