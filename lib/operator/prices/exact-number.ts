/** Longer numbers cannot be prices. */
const maxDigits = 40;
const maxExponent = 40;
const numberParts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Converts a written number (`0.15`, `1.5e-07`, `.5`) to a plain decimal without needless zeros
 * (`0.00000015`), digit by digit, because a float could change digits. `shift` moves the point to the right:
 * 6 turns a rate per unit into one per million. Null if the text is not a number, or longer than any price.
 */
export function plainDecimal(written: string, shift = 0): string | null {
  const text = written.trim();
  const parts = text.length > 0 && text.length <= maxDigits + 8 ? numberParts.exec(text) : null;
  if (!parts) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  if (whole + fraction === "") return null;
  const point = Number(exponent) + shift;
  if (Math.abs(point) > maxExponent || whole.length + fraction.length > maxDigits) return null;
  const digits = `${"0".repeat(maxExponent)}${whole}${fraction}${"0".repeat(maxExponent)}`;
  const at = maxExponent + whole.length + point;
  const before = digits.slice(0, at).replace(/^0+/, "") || "0";
  const after = digits.slice(at).replace(/0+$/, "");
  const plain = after === "" ? before : `${before}.${after}`;
  return sign === "-" && plain !== "0" ? `-${plain}` : plain;
}

/**
 * Parses JSON but returns each number as its original text: `1.5e-07` stays `1.5e-07`. Throws as `JSON.parse`
 * does.
 */
export function parseWithExactNumbers(text: string): unknown {
  // The parameters are typed by hand, because TypeScript does not know the third one yet. In a browser that
  // does not pass it, the number's shortest text is used, which equals the original up to 15 digits.
  const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
}
