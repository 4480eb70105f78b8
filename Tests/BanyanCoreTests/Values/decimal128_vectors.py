#!/usr/bin/env python3
"""Writes decimal128_vectors.txt: what Python's decimal module answers when it is set up as IEEE decimal128.

Run in this folder: python3 decimal128_vectors.py > decimal128_vectors.txt
A line is an operation, its operands and the result, between spaces. The numbers are chosen with a fixed seed, to be
short and long, far apart and close together, at both ends of the range, on ties and just beside them.
"""
import decimal
import random
from decimal import Decimal

CONTEXT = dict(prec=34, Emin=-6143, Emax=6144, clamp=1, capitals=1, traps=[], rounding=decimal.ROUND_HALF_EVEN)
ieee = decimal.Context(**CONTEXT)
# Remainders are exact; Python gives up when the quotient is long, so ask it with room for any quotient.
roomy = decimal.Context(**{**CONTEXT, "prec": 13000, "Emin": -999999, "Emax": 999999, "clamp": 0})
decimal.setcontext(ieee)
RULES = {
    "even": decimal.ROUND_HALF_EVEN, "away": decimal.ROUND_HALF_UP, "ceiling": decimal.ROUND_CEILING,
    "floor": decimal.ROUND_FLOOR, "zero": decimal.ROUND_DOWN, "up": decimal.ROUND_UP,
}
chance = random.Random(754)

SPECIALS = [ieee.create_decimal(s) for s in (
    "0", "-0", "0.00", "-0E+12", "0E-6176", "0E+6111", "1", "-1", "1.0", "1.00", "10", "0.1", "3", "7", "5E-1",
    "1E-6176", "-1E-6176", "9E-6176", "1E-6143", "9.99999999999999999999999999999999E-6144", "1E+6111", "1E+6144",
    "9.999999999999999999999999999999999E+6144", "-9.999999999999999999999999999999999E+6144",
    "9999999999999999999999999999999999", "1000000000000000000000000000000000", "5000000000000000000000000000000000",
    "Infinity", "-Infinity", "NaN", "-NaN", "NaN123", "sNaN", "-sNaN45", "NaN999999999999999999999999999999999",
)]


def digits(length):
    kind = chance.random()
    if kind < 0.15:
        return "9" * length
    if kind < 0.3:
        return "1" + "0" * (length - 1)
    if kind < 0.4:
        return chance.choice("123456789") + "0" * (length - 1)
    if kind < 0.5 and length > 1:
        return chance.choice("123456789") + "".join(chance.choice("05") for _ in range(length - 1))
    return chance.choice("123456789") + "".join(chance.choice("0123456789") for _ in range(length - 1))


def number():
    kind = chance.random()
    length = chance.choice((1, 1, 2, 2, 3, 5, 9, 17, 18, 19, 20, 33, 34, 34))
    if kind < 0.45:
        exponent = chance.randint(-6, 6)
    elif kind < 0.7:
        exponent = chance.randint(-45, 45)
    elif kind < 0.8:
        exponent = chance.randint(-6176, -6100)
    elif kind < 0.9:
        exponent = chance.randint(6050, 6111)
    elif kind < 0.95:
        exponent = chance.randint(-3100, 3100)
    else:
        return chance.choice(SPECIALS)
    return Decimal(chance.choice(("", "", "-")) + digits(length) + "E" + str(exponent))


def pair():
    kind = chance.random()
    a = number()
    if kind < 0.55 or not a.is_finite():
        return a, number()
    if kind < 0.85:  # near enough to touch each other's last digits
        length = chance.choice((1, 2, 3, 17, 34))
        exponent = a.as_tuple().exponent + chance.randint(-38, 38)
        exponent = max(-6176, min(6111, exponent))
        return a, Decimal(chance.choice(("", "-")) + digits(length) + "E" + str(exponent))
    if kind < 0.95:  # almost cancelling
        return a, ieee.minus(chance.choice((ieee.next_plus, ieee.next_minus, ieee.normalize))(a))
    return a, a


def bits(value):
    """The binary-integer encoding, written down once more from the standard."""
    sign, coefficient, exponent = value.as_tuple()
    number = int("".join(map(str, coefficient)) or "0")
    if exponent == "F":
        field = 0x78 << 120
    elif exponent in ("n", "N"):
        field = (0x7E if exponent == "N" else 0x7C) << 120 | number
    else:
        field = (exponent + 6176) << 113 | number
    return format(sign << 127 | field, "032x")


def line(*parts):
    print(*parts)


def with_specials(count, operation, name):
    for a in SPECIALS:
        for b in chance.sample(SPECIALS, 3):
            line(name, a, b, operation(a, b))
    for _ in range(count):
        a, b = pair()
        line(name, a, b, operation(a, b))


def main():
    for value in SPECIALS + [number() for _ in range(250)]:
        line("bits", value, bits(value))

    texts = [
        "+1", "1.", ".5", "-.5E+3", "00.0010", "1e5", "1E+05", "inf", "+InFiNiTy", "nan", "-NAN7", "snan", "SNaN007",
        "0E+99999999999999999999", "0E-99999999999999999999", "1E+99999999999999999999", "-1E-99999999999999999999",
        "12345678901234567890123456789012345", "1234567890123456789012345678901234.5",
        "1234567890123456789012345678901235.5", "1234567890123456789012345678901234.50000000000000000000000000001",
        "9999999999999999999999999999999999.5", "0." + "0" * 60 + "1", "1" + "0" * 60, "0" * 60 + "1.50",
        "1E-6177", "5E-6177", "5.0000000000000000000000000000000000000000001E-6177", "15E-6177", "1E-6210",
        "1E+6145", "1E+6112", "10E+6111", "9.9999999999999999999999999999999994E+6144",
        "9.9999999999999999999999999999999995E+6144", "1" + "0" * 34, "12E+6143", "1.5E-6176", "2.5E-6176",
    ]
    for _ in range(150):
        body = digits(chance.randint(30, 50))
        point = chance.randint(0, len(body))
        tail = chance.choice(("", "", "E-30", "E+6100", "E-6150", "E-6190", "e12"))
        texts.append(chance.choice(("", "-", "+")) + body[:point] + "." + body[point:] + tail)
    for text in texts:
        exact = roomy.create_decimal(text)
        rounded = ieee.create_decimal(text)
        # Exponents that Python cannot hold either: a number that became infinite, or zero for its digits.
        lost = text.strip("+-")[0].isdigit() and (
            rounded.is_infinite() or rounded.is_zero() and text.lower().split("e")[0].strip("+-0.") != "")
        same = exact.is_nan() or exact == rounded and not lost
        line("parse", text, rounded, "exact" if same else "rounded")

    with_specials(520, ieee.add, "add")
    # Just below a power of ten digits are ten times as fine: where a small operand begins to matter.
    for body in ("1", "1.5", "1.000000000000000000000000000000000", "1.000000000000000000000000000000001"):
        for small in ("1", "4.9999", "5", "5.000000000000000000000000000000001", "9.9"):
            for distance in (33, 34, 35, 36):
                a = Decimal(body + "E+7")
                b = Decimal(chance.choice(("-", "-", "")) + small + "E" + str(7 - distance))
                line("add", a, b, ieee.add(a, b))
    with_specials(200, ieee.subtract, "subtract")
    with_specials(450, ieee.multiply, "multiply")
    with_specials(520, ieee.divide, "divide")
    with_specials(250, roomy.remainder, "remainder")
    with_specials(250, roomy.remainder_near, "remainder-near")
    with_specials(150, ieee.compare_total, "total-order")

    for _ in range(240):
        a, b = pair()
        if a.is_nan() or b.is_nan():
            continue
        line("compare", a, b, ieee.compare(a, b))

    for name, rule in RULES.items():
        for _ in range(45):
            a, b = pair()
            line("quantize-" + name, a, b, a.quantize(b, rounding=rule, context=ieee))
        for _ in range(30):
            length = chance.choice((1, 2, 3, 17, 33, 34))
            a = Decimal(chance.choice(("", "-")) + digits(length) + "E" + str(-chance.randint(0, length + 2)))
            line("integral-" + name, a, a.to_integral_value(rounding=rule, context=ieee))

    for value in SPECIALS + [number() for _ in range(70)]:
        line("next-up", value, ieee.next_plus(value))
        line("next-down", value, ieee.next_minus(value))
        line("reduce", value, ieee.normalize(value))

    for value in SPECIALS + [number() for _ in range(120)]:
        if not value.is_nan() and abs(value.adjusted()) < 400:
            line("double", value, float(value).hex())
    for _ in range(120):
        value = chance.choice((
            chance.random(), chance.uniform(-1e6, 1e6), chance.getrandbits(60) * 1.0, 2.0 ** chance.randint(-1074, 1000),
            chance.random() * 10.0 ** chance.randint(-300, 300), chance.randint(-1000, 1000) / 64))
        exact = roomy.create_decimal(Decimal.from_float(value))
        fits = ieee.create_decimal(exact)
        line("from-double", value.hex(), ieee.normalize(Decimal(repr(value))), fits if fits == exact else "-")


main()
