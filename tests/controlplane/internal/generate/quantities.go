package generate

import (
	"fmt"
	"strings"
)

// Quantities are amounts written in every way that upstream's parser tells apart, and some that it
// refuses. The same seed gives the same ones.
func Quantities(seed uint64) []string {
	seen := map[string]bool{}
	var all []string
	add := func(text string) {
		if !seen[text] {
			seen[text] = true
			all = append(all, text)
		}
	}
	for _, number := range numbers {
		for _, suffix := range suffixes {
			add(number + suffix)
		}
	}
	for _, text := range refused {
		add(text)
	}
	r := newRandom(seed, 2)
	for range 600 {
		add(r.quantity())
	}
	return all
}

var numbers = []string{"0", "1", "8", "-3", "+3", "0.1", "0.5", "1.5", "12.000", "007", ".5", "5.",
	"0.000000001", "0.0000000001", "2.9999999999", "0.99999999999999999999", "1234567890123456789",
	"9223372036854775807", "9223372036854775808", "99999999999999999999", "-9223372036854775808", "-0.5"}

var suffixes = []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi",
	"Ei", "e0", "E0", "e3", "E3", "e-3", "e+2", "e-9", "e-12", "e18", "E19", "e-30", "e30"}

// Exponents beyond thousands are left out: upstream works on them for minutes.
// So are blanks beyond a space: "\t8" is 8 to us, while upstream trims before it reads the escape.
var refused = []string{"", " ", "x", "K", "1K", "1ki", "1KI", "1mi", "1 Gi", "1,000", "1_000", "0x10",
	"1e", "1e+", "1e1.5", "e3", "--1", "+-1", "1.2.3", ".", "-", "+", ".e3", "1Gi2", "NaN", "Inf", "1g",
	"1b", "1GB", "١", "1E+-3", "1ee3", "½", " 8", "8 ",
	"8 8", "8\x00", "m", "Ki", "1e4294967299"}

func (r random) quantity() string {
	var text strings.Builder
	text.WriteString(pick(r, "", "", "", "", "", "+", "-"))
	text.WriteString(r.digits(pick(r, 0, 1, 1, 2, 3, 10, 18, 19, 20, 25)))
	if r.chance(60) {
		text.WriteString("." + r.digits(pick(r, 0, 1, 2, 3, 6, 9, 10, 12, 20, 30)))
	}
	if r.chance(25) {
		text.WriteString(fmt.Sprintf("%s%d", pick(r, "e", "E", "e-", "e+"), r.IntN(22)))
	} else {
		text.WriteString(pick(r, suffixes...))
	}
	return text.String()
}

func (r random) digits(count int) string {
	digits := make([]byte, count)
	for i := range digits {
		digits[i] = pick(r, byte('0'), '0', '9', '9', byte('0'+r.IntN(10)))
	}
	return string(digits)
}
