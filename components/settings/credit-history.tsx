import type { Credit, Prepaid } from "#contract/money/budgets.ts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";

/** Credit that was added to an account, newest first. */
export function CreditHistory({ credits }: { credits: readonly Credit[] }) {
  if (credits.length === 0) return <p className="mt-2 text-muted">No credit was added yet.</p>;
  return (
    <div className="mt-3">
      <Table label="Credits">
        <thead>
          <tr>
            <Th>When</Th>
            <Th numeric>Amount</Th>
            <Th numeric>Balance after</Th>
            <Th>Note</Th>
            <Th>Added by</Th>
          </tr>
        </thead>
        <tbody>
          {credits.map(
            ({ id, created_at: at, amount, balance_after: balance, currency, note, added_by: by }) => (
              <Tr key={id}>
                <Td>
                  <Time value={at} />
                </Td>
                <Td numeric className="whitespace-nowrap">
                  {amount} {currency}
                </Td>
                <Td numeric className="whitespace-nowrap" label="Balance after">
                  {balance ? `${balance} ${currency}` : "–"}
                </Td>
                <Td className="wrap-anywhere">{note}</Td>
                <Td className="wrap-anywhere" label="Added by">
                  {by ? (by.name ?? by.id) : "the command line"}
                </Td>
              </Tr>
            ),
          )}
        </tbody>
      </Table>
      {credits.some(({ balance_after: balance }) => !balance) && (
        <p className="mt-2 text-meta text-muted">
          Release 0.3 and earlier did not record the balance after a credit.
        </p>
      )}
    </div>
  );
}

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
        Runs that the credit does not cover are rejected. An operator can add credit.
      </span>
    </p>
  );
}
