/** Letters of names as Latin ones; accents are taken off before. */
const letters = new Map(
  [
    "ß ss ø o æ ae œ oe ł l đ d ð d þ th ı i ħ h ŧ t ŋ ng ə e",
    "а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch",
    "ы y э e ю yu я ya є ye і i ґ g ђ dj ј j љ lj њ nj ћ c џ dz ѕ dz",
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o",
  ]
    .flatMap((line) => line.split(" "))
    .flatMap((word, at, words): [letter: string, latin: string][] =>
      at % 2 === 0 ? [[word, words[at + 1] ?? ""]] : [],
    ),
)
  .set("ъ", "")
  .set("ь", "");

/** The text in lower case and Latin letters; undefined if it has letters or digits of scripts that are not known here. */
export function transliterate(text: string): string | undefined {
  const latin = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^\0-\x7f]/g, (sign) => letters.get(sign) ?? sign);
  return /(?![a-z\d])[\p{L}\p{N}]/u.test(latin) ? undefined : latin;
}
