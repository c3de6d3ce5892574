import type { Prepaid } from "#contract/money/credits.ts";

/** What is left of an account's credit. */
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
