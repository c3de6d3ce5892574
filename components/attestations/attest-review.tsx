import type { AttestationStatement } from "#contract/attestations.ts";
import type { AttestingUser } from "./attesting-user.ts";

interface AttestReviewProps {
  user: AttestingUser;
  statements: readonly AttestationStatement[];
}

/** What the record will say, before it is made. */
export function AttestReview({ user, statements }: AttestReviewProps) {
  const rows = [
    { name: "Name", value: user.name },
    { name: "E-mail", value: user.email },
    ...statements.map(({ title, version }) => ({ name: "Statement", value: `${title}, version ${version}` })),
    { name: "Time", value: "when you press the button; your IP address is recorded too" },
  ];
  return (
    <div className="space-y-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
        {rows.map(({ name, value }) => (
          <div key={`${name} ${value}`} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-table text-muted">
        {statements.length === 1 ? "It is" : "They are"} valid until you withdraw{" "}
        {statements.length === 1 ? "it" : "them"} on the Attestations page. Nothing is run automatically.
      </p>
    </div>
  );
}
