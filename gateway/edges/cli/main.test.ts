import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { newAccountKey } from "#gateway/access/accounts/keys/format.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { createTestDatabase, databaseUrlOf } from "#gateway/testing/database.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { listenUntil } from "./listen.ts";
import { main } from "./main.ts";

let database: Database;
const printed: string[] = [];
const complained: string[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  vi.stubEnv("DATABASE_URL", databaseUrlOf(database));
  vi.stubEnv("AUTH_SECRET", "a-secret-that-only-tests-know-0001");
  printed.length = 0;
  complained.length = 0;
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
  vi.spyOn(console, "error").mockImplementation((text: string) => void complained.push(text));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await database.close();
});

const account = ["account", "create", "--email", "owner@example.com", "--password", "long-enough-1"];
const key = [
  "keys",
  "create",
  "--email",
  "Owner@example.com",
  "--name",
  "ci",
  "--scopes",
  "inference,uploads",
];

it("creates an account and a key for it, and prints only their values", async () => {
  expect(await main(account)).toBe(0);
  expect(await main(key)).toBe(0);
  expect(await main([...key, "--operator"])).toBe(0);
  const aKey = expect.stringMatching(/^svc_live_\w+$/);
  expect(printed).toEqual([expect.stringMatching(/^acct_\w{26}$/), aKey, aKey]);
  const { rows } = await database.pool.query("select name, scopes from api_keys order by id");
  expect(rows).toEqual([
    { name: "ci", scopes: ["inference", "uploads"] },
    { name: "ci", scopes: ["inference", "uploads", "operator"] },
  ]);
});

it("sets, prints and takes back limits of one account, each with a reason in the audit log", async () => {
  expect(await main(account)).toBe(0);
  const [id = ""] = printed;
  const limits = (...options: string[]) => main(["account", "limits", "--account", id, ...options]);
  expect(await limits("--requests-per-minute", "60", "--models", "svc/chat-1, svc/chat-2")).toBe(2);
  expect(complained.join()).toContain("--reason is required");
  const set = ["--requests-per-minute", "60", "--models", "svc/chat-1, svc/chat-2", "--reason", "trial"];
  expect(await limits(...set)).toBe(0);
  expect(printed.at(-1)?.split("\n")).toEqual([
    "plan\tnone",
    "requests_per_minute\t60",
    "tokens_per_minute\tno limit",
    "max_concurrency\tno limit",
    "storage_bytes\t20000000000",
    "contents_days\t30",
    "shortest_retention_minutes\tno limit",
    "models\tsvc/chat-1,svc/chat-2",
    "regions\tno limit",
  ]);
  expect(await limits("--models", "usual", "--reason", "paid")).toBe(0);
  expect(await limits()).toBe(0);
  expect(printed.at(-1)).toContain("models\tno limit");
  for (const [wrong, words] of [
    [["--max-concurrency", "many"], "--max-concurrency must be integer"],
    [["--regions", "moon"], "--regions must be equal"],
    [["--contents-days", "31"], "at most 30 days"],
    [["--models", "svc/chat-1,svc/chat-x"], "no model svc/chat-x"],
  ] as const) {
    expect(await limits(...wrong, "--reason", "x")).not.toBe(0);
    expect(complained.slice(-2).join()).toContain(words);
  }
  const { rows } = await database.pool.query(
    "select actor_name, detail from audit_logs where action = 'account.limits_updated' order by id",
  );
  const before = { requests_per_minute: 60, models: ["svc/chat-1", "svc/chat-2"] };
  expect(rows).toEqual([
    { actor_name: "Gatehouse", detail: { reason: "trial", before: {}, after: before } },
    { actor_name: "Gatehouse", detail: { reason: "paid", before, after: { requests_per_minute: 60 } } },
  ]);
});

it("prints the networks of an account, and lets a locked-out owner in again", async () => {
  expect(await main(account)).toBe(0);
  const [id = ""] = printed;
  const lists = { sign_in: ["203.0.113.0/24", "2001:db8::/32"], keys: null };
  await database.pool.query("update accounts set networks = $1", [lists]);
  const networks = (...options: string[]) => main(["account", "networks", "--account", id, ...options]);
  expect(await networks()).toBe(0);
  expect(printed.at(-1)).toBe("sign_in\t203.0.113.0/24, 2001:db8::/32\nkeys\tanywhere");
  expect(await networks("--clear")).toBe(0);
  expect(printed.at(-1)).toBe("sign_in\tanywhere\nkeys\tanywhere");
  const { rows } = await database.pool.query(
    "select networks, actor_name from accounts, audit_logs where action = 'account.networks_updated'",
  );
  expect(rows).toEqual([{ networks: null, actor_name: "Gatehouse" }]);
});

it("makes, changes and lists plans, gives them to accounts, and deletes only those that no account has", async () => {
  expect(await main(account)).toBe(0);
  const [id = ""] = printed;
  const give = (plan: string) =>
    main(["account", "limits", "--account", id, "--plan", plan, "--reason", "order 7"]);
  const set = (...options: string[]) => main(["plans", "set", "--name", "Small", ...options]);
  expect(await set("--max-concurrency", "2", "--storage-bytes", "1000")).toBe(0);
  expect(printed.at(-1)).toMatch(/^plan_\w{26}$/);
  expect(await give("none such")).toBe(1);
  expect(await give("small")).toBe(0);
  expect(printed.at(-1)).toContain("plan\tSmall\n");
  expect(printed.at(-1)).toContain("max_concurrency\t2\nstorage_bytes\t1000\n");
  expect(await set("--max-concurrency", "3")).toBe(2);
  expect(complained.join()).toContain("--reason is required");
  expect(await set("--max-concurrency", "3", "--storage-bytes", "usual", "--reason", "grew")).toBe(0);
  expect(await main(["plans", "list"])).toBe(0);
  expect(printed.at(-1)).toBe("Small\t1\tmax_concurrency=3");
  expect(await main(["plans", "delete", "--name", "Small"])).toBe(1);
  expect(complained.join()).toContain(id);
  expect(await give("usual")).toBe(0);
  expect(await main(["plans", "delete", "--name", "Small"])).toBe(0);
  const { rows } = await database.pool.query(
    "select detail from audit_logs where account_id = $1 and action = 'account.limits_updated' order by id",
    [id],
  );
  expect(rows.map(({ detail }) => [detail.reason, detail.before, detail.after])).toEqual([
    ["order 7", { plan: null }, { plan: "Small" }],
    ["grew", { max_concurrency: 2, storage_bytes: 1000 }, { max_concurrency: 3 }],
    ["order 7", { plan: "Small" }, { plan: null }],
  ]);
  const { rows: plans } = await database.pool.query(
    "select action, actor_name, target_id, detail from audit_logs where action like 'plan.%' order by id",
  );
  const small = { actor_name: "Gatehouse", target_id: printed[1] };
  expect(plans).toEqual([
    { ...small, action: "plan.created", detail: { name: "Small", max_concurrency: 2, storage_bytes: 1000 } },
    {
      ...{ ...small, action: "plan.updated" },
      detail: { name: "Small", max_concurrency: 3, storage_bytes: null, reason: "grew" },
    },
    { ...small, action: "plan.deleted", detail: { name: "Small" } },
  ]);
});

it("explains a wrong command with its usage, and prints nothing to standard output", async () => {
  expect(await main(["account", "create", "--email", "owner@example.com", "--password", "short"])).toBe(2);
  expect(await main(["keys", "create", "--name", "ci"])).toBe(2);
  expect(await main(["keys", "create", "--email", "a@b", "--name", "ci", "--scopes", "everything"])).toBe(2);
  expect(await main(key)).toBe(1);
  expect(await main(["keys", "steal"])).toBe(2);
  expect(printed).toEqual([]);
  expect(complained.join("\n")).toMatch(
    /--password .*10.*--email is required.*There is no user.*No account exists yet: open the set-up link.*Unknown command "keys steal"/s,
  );
});

const onAnInstallation: [string, string[]][] = [
  ["account create", account],
  ["account list", ["account", "list"]],
  ["keys create", key],
  ["users list", ["users", "list"]],
  ["operators add", ["operators", "add", "--email", "owner@example.com"]],
  ["migrate", ["migrate"]],
  ["migrate --check", ["migrate", "--check"]],
  ["types", ["types"]],
  ["apply", ["apply", "file.json", "--key", newAccountKey()]],
  ["listen", ["listen", "--forward-to", "http://localhost:1", "--key", newAccountKey()]],
];

it.each(onAnInstallation)(
  "%s refuses a data folder that does not exist, and does not create it",
  async (_name, words) => {
    const folder = path.join(inject("testServer").folder, "no-such-data-folder");
    vi.stubEnv("DATABASE_URL", "");
    vi.stubEnv("GATEHOUSE_DATA_DIR", folder);
    expect(await main(words)).not.toBe(0);
    expect(complained.join("\n")).toContain(`There is no data folder ${folder}. Set GATEHOUSE_DATA_DIR`);
    expect(existsSync(folder)).toBe(false);
    expect(printed).toEqual([]);
  },
);

const ofNobody = 65_534;

it
  .runIf(process.geteuid?.() === 0)
  .each([...onAnInstallation, ["doctor", ["doctor"]]] as [string, string[]][])(
  "%s as another user than the one whose files they are is refused, and makes no file",
  async (_name, words) => {
    const folder = newFolder("of-another-user");
    mkdirSync(path.join(folder, "files"));
    chownSync(path.join(folder, "files"), ofNobody, ofNobody);
    vi.stubEnv("AUTH_SECRET", "");
    vi.stubEnv("GATEHOUSE_DATA_DIR", folder);
    expect(await main(words)).toBe(1);
    expect([...printed, ...complained].join("\n")).toMatch(
      /belongs to nobody, .*: sudo -u nobody gatehouse …/,
    );
    expect(readdirSync(folder)).toEqual(["files"]);
    expect(readdirSync(path.join(folder, "files"))).toEqual([]);
  },
);

it("names the gateway that cannot be reached, and the reason", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const gatewayUrl = `http://127.0.0.1:${port}/v1`;
  const there = ["--gateway", gatewayUrl, "--key", newAccountKey()];
  const file = path.join(newFolder("apply"), "gatehouse.json");
  writeFileSync(file, "{}");
  expect(await main(["types", ...there])).toBe(1);
  expect(await main(["apply", file, ...there])).toBe(1);
  const reason = expect.stringContaining(
    `${gatewayUrl} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}. Is`,
  );
  expect(complained).toEqual([reason, reason]);
  const stop = new AbortController();
  const lines: string[] = [];
  await listenUntil(stop.signal, {
    gatewayUrl,
    key: "svc_live_x",
    forwardTo: "http://127.0.0.1:1/",
    events: null,
    timeoutMs: 1_000,
    secret: null,
    print(line) {
      lines.push(line);
      if (line.includes("Trying again")) stop.abort();
    },
  });
  expect(lines.at(-1)).toEqual(reason);
});

it("requires --password for a new owner, and refuses an account that does not exist", async () => {
  expect(await main(["account", "create", "--email", "new@example.com"])).toBe(1);
  expect(complained.splice(0).join()).toMatch(/no user .*new@example.com.*--password/);
  await main(account);
  for (const words of [
    ["account", "delete"],
    ["account", "keep"],
    ["account", "networks"],
    ["sign-in", "allow-passwords"],
    [...key],
  ]) {
    expect(await main([...words, "--account", "acct_none"]), words.join(" ")).toBe(1);
    expect(complained.splice(0).join()).toContain("There is no account acct_none");
  }
});

it("lists, resets and removes users, appoints operators, and never removes the last owner or operator", async () => {
  const second = ["account", "create", "--email", "second@example.com", "--password", "long-enough-1"];
  const more = ["account", "create", "--email", "owner@example.com", "--name", "Another"];
  for (const words of [account, second, more]) expect(await main(words)).toBe(0);
  const list = async () => {
    printed.length = 0;
    expect(await main(["users", "list"])).toBe(0);
    return printed.join("\n");
  };
  expect(await list()).toBe(
    "owner@example.com\towner\toperator\towner (owner), Another (owner)\nsecond@example.com\tsecond\tsecond (owner)",
  );
  const of = (verb: string, email: string) => main([...verb.split(" "), "--email", email]);
  expect(await of("operators remove", "owner@example.com")).toBe(1);
  expect(await of("operators add", "second@example.com")).toBe(0);
  expect(await of("operators remove", "owner@example.com")).toBe(0);
  expect(await of("users remove", "second@example.com")).toBe(1);
  expect(complained.join()).toMatch(/last operator.*last owner/s);
  printed.length = 0;
  expect(await of("users reset", "second@example.com")).toBe(0);
  expect(printed).toEqual([expect.stringMatching(/\/reset#\w{69}$/)]);
  await database.pool.query(
    "insert into members (account_id, user_id, role) select m.account_id, u.id, 'owner' from members m, users u where u.email = 'owner@example.com' on conflict do nothing",
  );
  expect(await of("users remove", "second@example.com")).toBe(0);
  expect(await list()).toBe("owner@example.com\towner\towner (owner), Another (owner), second (owner)");
});

it("prints help at every level", async () => {
  for (const words of [["--help"], ["keys", "--help"], ["keys", "create", "--help"]])
    expect(await main(words)).toBe(0);
  expect(printed[0]).toMatch(/account create[\s\S]*keys create/);
  expect(printed[1]).not.toContain("account create");
  expect(printed[2]).toContain("--scopes");
});

it("lists missing migrations, applies them, and refuses to start without them when MIGRATE is off", async () => {
  const { pool } = database;
  const { rows } = await pool.query(
    "delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations) returning *",
  );
  expect(await main(["migrate", "--check"])).toBe(1);
  expect(complained.join()).toMatch(/lacks a migration: \d{4}_\w+/);
  vi.stubEnv("MIGRATE", "off");
  expect(await main(account)).toBe(1);
  expect(complained.join()).toMatch(/lacks \d{4}_\w+, and MIGRATE is off/);
  await pool.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
    rows[0].hash,
    rows[0].created_at,
  ]);
  expect(await main(["migrate"])).toBe(0);
  expect(await main(["migrate", "--check"])).toBe(0);
  expect(await main(account)).toBe(0);
  expect(printed.slice(0, 2)).toEqual(["The database is up to date.", "The database is up to date."]);
});

it("schedules an account's deletion in a week, lists it and cancels it", async () => {
  await main(account);
  await main([
    "account",
    "create",
    "--email",
    "other@example.com",
    "--password",
    "long-enough-2",
    "--name",
    "Other",
  ]);
  const [first = "", second = ""] = printed.splice(0);
  expect(await main(["account", "delete", "--account", first])).toBe(1);
  expect(complained.join()).toContain("gatehouse operators add");
  expect(await main(["account", "delete", "--account", second])).toBe(0);
  expect(await main(["account", "list"])).toBe(0);
  expect(await main(["account", "keep", "--account", second])).toBe(0);
  expect(await main(["account", "keep", "--account", second])).toBe(1);
  const [due] = printed;
  expect(printed).toEqual([due, `${first}\towner\n${second}\tOther\twill be deleted ${due}`, second]);
});

it("suspends an account, lifts the suspension, and deletes it at once with a certificate", async () => {
  const other = ["--email", "other@example.com", "--password", "long-enough-2", "--name", "Other"];
  await main(account);
  await main(["account", "create", ...other]);
  const [, id = ""] = printed.splice(0);
  const run = (verb: string, ...more: string[]) => main(["account", verb, "--account", id, ...more]);
  expect(await run("suspend")).toBe(2);
  expect(await run("suspend", "--reason", "Unpaid")).toBe(0);
  await main(["account", "list"]);
  expect(printed.splice(0)).toEqual([id, expect.stringMatching(/Other\tsuspended since 2\S+$/)]);
  expect(await run("unsuspend")).toBe(0);
  expect(await run("delete", "--now", "--name", "Another", "--reason", "Asked for")).toBe(1);
  expect(await run("delete", "--name", "Other")).toBe(2);
  expect(await run("certificate")).toBe(1);
  expect(await run("delete", "--now", "--name", "Other", "--reason", "Asked for")).toBe(0);
  expect(await run("certificate")).toBe(0);
  expect(JSON.parse(printed.at(-1) ?? "")).toMatchObject({ id, state: "running", reason: "Asked for" });
  expect(complained.join("\n")).toMatch(/--reason is required.*another name: "Other".*no deletion/s);
});

it("ends sessions and personal keys only with --yes, and says before what ends", async () => {
  await main(account);
  const [id = ""] = printed.splice(0);
  const values = ["--account", id, "--reason", "A laptop was lost"];
  expect(await main(["sessions", "end"])).toBe(2);
  expect(await main(["keys", "end", ...values, "--grace", "a day"])).toBe(2);
  expect(await main(["sessions", "end", ...values])).toBe(0);
  expect(printed.splice(0).join()).toMatch(/0 sessions.*must sign in again.*keep working.*Add --yes/s);
  expect(await main(["sessions", "end", ...values, "--yes"])).toBe(0);
  expect(await main(["keys", "end", ...values, "--grace", "60", "--yes"])).toBe(0);
  expect(printed).toEqual([
    "0 sessions ended",
    expect.stringMatching(/^Ended: 0 agent connections. Ending 2.*: 0 personal keys$/),
  ]);
});

it("rewrites the tables that held texts, and says what only a superuser may do", async () => {
  expect(await main(["scrub"])).toBe(0);
  expect(printed.at(-1)).toMatch(/^Rewrote \d+ tables\. A superuser .* pg_switch_wal\(\); checkpoint$/);
});

it("rewrites the tables only once no transaction can see what was removed before", async () => {
  expect(await main(account)).toBe(0);
  const { rows } = await database.pool.query("select pg_relation_size('content_keys') as before");
  expect(rows).toEqual([{ before: "0" }]);
  await database.pool.query("insert into content_keys (id, account_id) values ('planted', $1)", [printed[0]]);
  const reader = await database.pool.connect();
  await reader.query("begin isolation level repeatable read; select from content_keys");
  await database.pool.query("delete from content_keys");
  const scrubbed = main(["scrub"]);
  await expect
    .poll(async () => {
      const { rows: asking } = await database.pool.query(
        "select from pg_stat_activity where datname = current_database() and query like '%xact_start as since%' and pid <> pg_backend_pid()",
      );
      return asking.length;
    })
    .toBe(1);
  await reader.query("commit");
  reader.release();
  expect(await scrubbed).toBe(0);
  const after = await database.pool.query("select pg_relation_size('content_keys') as bytes");
  expect(after.rows).toEqual([{ bytes: "0" }]);
});

it("drains a node that runs, and undrains it once", async () => {
  const seen = "insert into gateway_processes (id, seen_at, running) values ('web-1:7:a', now(), 0)";
  expect(await main(["drain", "--node", "web-1"])).toBe(1);
  await database.pool.query(seen);
  expect(await main(["drain", "--node", "web-1", "--process", "seven"])).toBe(2);
  expect(await main(["drain", "--node", "web-1", "--wait"])).toBe(0);
  expect(await main(["undrain", "--node", "web-1"])).toBe(0);
  expect(await main(["undrain", "--node", "web-1"])).toBe(1);
  expect(printed).toEqual(["web-1 is drained: 0 in hand", "web-1"]);
  expect(complained.join("\n")).toMatch(/no node or process web-1.*number of a process.*not drained/s);

  // As a process of the previous release.
  await database.pool.query("insert into gateway_processes (id, seen_at) values ('web-1:8:b', now())");
  expect(await main(["drain", "--node", "web-1", "--wait"])).toBe(1);
  expect(complained.at(-1)).toContain("do not say what they have in hand: web-1:8");
});
