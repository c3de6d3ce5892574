import type { Prepaid } from "#contract/money/credits.ts";

/** The remaining credit of an account. */
export function PrepaidBalance({ prepaid: { balance, reserved, currency } }: { prepaid: Prepaid }) {
  return (
    <p>
      <span className="block text-meta text-muted">Prepaid credit</span>
      <span className="tabular text-title font-semibold">
        {balance} {currency}
      </span>
      <span className="block text-meta text-muted">
        {reserved !== "0" && `${reserved} of it is reserved by runs. `}
        Runs that it does not cover are rejected. An operator adds credit.
      </span>
    </p>
  );
}
