import type { Credit } from "#contract/money/budgets.ts";
import { useWords } from "#words";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";

/** Credit that was added to an account, newest first. */
export function CreditHistory({ credits }: { credits: readonly Credit[] }) {
  const t = useWords("settings");
  if (credits.length === 0) return <p className="mt-2 text-muted">{t("noCreditWasAddedYet")}</p>;
  return (
    <div className="mt-3">
      <Table label={t("credits")}>
        <thead>
          <tr>
            <Th>{t("when")}</Th>
            <Th numeric>{t("amount")}</Th>
            <Th numeric>{t("balanceAfter")}</Th>
            <Th>{t("note")}</Th>
            <Th>{t("addedBy")}</Th>
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
                <Td numeric className="whitespace-nowrap" label={t("balanceAfter")}>
                  {balance ? `${balance} ${currency}` : "–"}
                </Td>
                <Td className="wrap-anywhere">{note}</Td>
                <Td className="wrap-anywhere" label={t("addedBy")}>
                  {by ? (by.name ?? by.id) : t("theCommandLine")}
                </Td>
              </Tr>
            ),
          )}
        </tbody>
      </Table>
      {credits.some(({ balance_after: balance }) => !balance) && (
        <p className="mt-2 text-meta text-muted">{t("release03AndEarlier")}</p>
      )}
    </div>
  );
}
