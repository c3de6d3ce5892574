import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, expectTypeOf, test } from "vitest";
import { type AuditAction, actionLabels } from "#contract/audit.ts";
import { type AuditColumns, categories, ecsEvent, maxDetailBytes } from "./ecs.ts";

/** https://www.elastic.co/docs/reference/ecs/ecs-allowed-values-event-category */
const expectedTypes: Record<string, readonly string[]> = {
  iam: ["admin", "change", "creation", "deletion", "group", "info", "user"],
  session: ["start", "end", "info"],
  configuration: ["access", "change", "creation", "deletion", "info"],
  file: ["access", "change", "creation", "deletion", "info"],
  api: [
    ...["access", "admin", "allowed", "change", "creation", "deletion"],
    ...["denied", "end", "info", "start", "user"],
  ],
};

const rows = Object.entries(categories).flatMap(([category, types]) =>
  Object.entries(types).map(([type, actions]) => ({ category, type, actions })),
);

type Values<Table> = Table[keyof Table];
type Types = Values<{ [Name in keyof typeof categories]: Values<(typeof categories)[Name]> }>;

const row: AuditColumns = {
  ...{ id: "audit_1", account_id: "acct_1", at: "2026-11-29T15:50:44.123456+00:00" },
  ...{
    action: "later.invented",
    actor_type: "key",
    actor_id: "key_1",
    actor_name: "deploy",
    user_id: "usr_1",
  },
  ...{ target_id: null, detail: { text: "x".repeat(maxDetailBytes) }, ip: "unknown", request_id: null },
};

test("every action of the audit log has one category and a type that ECS expects of it", () => {
  const mapped = rows.flatMap(({ actions }) => actions);
  expect(mapped.toSorted()).toEqual([...actionLabels.keys()].toSorted());
  // An action without a category also fails the check of types, which names it.
  expectTypeOf<Exclude<AuditAction, Types[number]>>().toBeNever();
  for (const { category, type } of rows) expect(expectedTypes[category]).toContain(type);
});

test("the documentation has the same table", () => {
  const chapter = readFileSync(path.resolve(import.meta.dirname, "../../../docs/audit-stream.md"), "utf8");
  const table = rows.map(
    ({ category, type, actions }) => `| \`${category}\` | \`${type}\` | ${actions.join(", ")} |\n`,
  );
  expect(chapter).toContain(table.join(""));
});

test("of addresses in a detail only the origin leaves, because a path or a query may be a secret", () => {
  const detail = {
    url: "https://me:private@hooks.example.com/private?key=private#private",
    before: {
      urls: ["https://hooks.example.com/", "http://private"],
      text: "see https://hooks.example.com/x",
    },
  };
  expect(ecsEvent({ ...row, detail }, 1, null)).toMatchObject({
    gatehouse: {
      detail: {
        url: "https://hooks.example.com/…",
        before: {
          urls: ["https://hooks.example.com", "http://private"],
          text: "see https://hooks.example.com/x",
        },
      },
    },
  });
});

test("a row has only fields of ECS and of its own; what is missing or too large is left out", () => {
  expect(ecsEvent(row, 7, null)).toEqual({
    "@timestamp": "2026-11-29T15:50:44.123Z",
    ecs: { version: "8.17.0" },
    message: "later.invented",
    event: {
      ...{ id: "audit_1", sequence: 7, kind: "event", module: "gatehouse", dataset: "gatehouse.audit" },
      ...{ action: "later.invented", category: ["api"], type: ["info"], outcome: "success" },
    },
    organization: { id: "acct_1" },
    user: { id: "usr_1" },
    gatehouse: { actor: { type: "key", id: "key_1", name: "deploy" }, detail_bytes: maxDetailBytes + 11 },
  });
});
