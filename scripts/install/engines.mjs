/** The oldest Node that can install the packages, as in README.md and package.json's `engines`. */
export const oldestNode = [20, 0, 0];

/** Whether a range of a package's `engines` ("^20.19.0 || >=22.12.0") admits this version of Node. */
export function admitsNode(range, version) {
  return range.split("||").some((alternative) => {
    const bounds = [
      ...alternative.matchAll(/(\^|~|>=|<=|>|<|=)?\s*v?(\d+|x|\*)(?:\.(\d+|x))?(?:\.(\d+|x))?/g),
    ];
    return bounds.every(([, operator = "=", ...numbers]) => meets(version, operator, numbers));
  });
}

/** Compares with one bound. Missing parts (`20`, `20.x`) match anything. */
function meets(version, operator, numbers) {
  const given = numbers.filter((number) => /^\d+$/.test(number ?? "")).map(Number);
  const order = compare(version.slice(0, given.length), given);
  switch (operator) {
    case ">=":
      return order >= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "^":
      return order >= 0 && version[0] === given[0];
    case "~":
      return order >= 0 && version[0] === given[0] && (given.length < 2 || version[1] === given[1]);
    default:
      return order === 0;
  }
}

function compare(left, right) {
  for (const [at, number] of right.entries()) if (left[at] !== number) return left[at] - number;
  return 0;
}
