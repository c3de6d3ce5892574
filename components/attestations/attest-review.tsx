import type { AttestationStatement } from "#contract/account.ts";
import type { AttestingUser } from "./attesting-user.ts";

/** What the record will say, before it is made. */
export function AttestReview({ user, statement }: { user: AttestingUser; statement: AttestationStatement }) {
  const rows = [
    ["Name", user.name],
    ["E-mail", user.email],
    ["Statement", `${statement.title}, version ${statement.version}`],
    ["Time", "when you press the button; your IP address is recorded too"],
  ];
  return (
    <div className="space-y-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-table text-muted">
        It is valid until you withdraw it on the Attestations page. Your draft is not run automatically: press
        Run afterwards.
      </p>
    </div>
  );
}
