import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { NoticeList } from "#contract/notices.ts";
import type { Output } from "#contract/outputs.ts";
import type { Report } from "#contract/reports.ts";
import { reportLimits } from "#contract/share-constants.ts";
import type { Upload } from "#contract/upload.ts";
import { barFile } from "#gateway/files/storage/barred-files.ts";
import { announce, png, put, verifiedUpload, verify } from "#gateway/files/uploads/testing/upload.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { shared } from "#gateway/testing/fixture.ts";
import {
  call,
  refusal,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from "#gateway/testing/gateway.ts";
import { startCopyScene } from "#gateway/workspace/copies/testing/scene.ts";
import { removeIdentical } from "./remove-identical.ts";

let gateway: TestGateway;
/** The first person of an installation is its operator. */
let operator: TestAccount;
let account: TestAccount;
const scene = shared(startCopyScene);
beforeAll(async () => {
  ({ gateway, account: operator } = scene);
});
beforeEach(async () => {
  account = await gateway.createAccount();
  const limit = { name: "reports", count: reportLimits.perHour, periodMs: 3_600_000 };
  await gateway.context.limiter.reset(addressBlock("127.0.0.1"), limit);
});

const send = (bearer: string | null, method: string, path: string, body?: unknown) =>
  call(gateway, bearer, method, path, body);
const sql = (text: string, ...values: unknown[]) => gateway.context.database.pool.query(text, values);

let pictures = 0;
/** A picture that nobody has, or that with this prompt. */
async function makePicture(owner = account, prompt?: string): Promise<Output> {
  pictures += 1;
  const input = { model: "svc/img-gen-a-1", prompt: prompt ?? `picture ${pictures}`, size: "256x256" };
  expect((await send(owner.key, "POST", "/images/generations", input)).status).toBe(200);
  return ((await send(owner.key, "GET", "/outputs?limit=1")).body.data as Output[])[0] as Output;
}
async function share({ id }: Output, owner = account, more: object = {}): Promise<string> {
  const { status, body } = await send(owner.key, "POST", `/outputs/${id}/shares`, {
    expires_in: 3_600,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body.url).split("/").at(-1) ?? "";
}
const complaint = { reason: "person", comment: "This is me.", email: "eve@example.com" };
const report = (token: string, more: object = {}) =>
  send(null, "POST", `/shared/${token}/reports`, { ...complaint, ...more });
/** A report of a shared picture. */
async function reported(output: Output, owner = account): Promise<string> {
  const { status, body } = await report(await share(output, owner));
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body.id);
}
const kept = async (output: Output, owner = account) =>
  expect((await send(owner.key, "POST", `/outputs/${output.id}/keep`, {})).status).toBe(200);
const statusOf = async (url: string | null) => (await fetch(String(url))).status;
const hashOf = async ({ id }: Output) =>
  String((await sql("select sha256 from outputs where id = $1", id)).rows[0]?.sha256);

describe("a report", () => {
  it("removes nothing, and is a notice to the account's owners and to the operators", async () => {
    const viewer = await gateway.addMember(account, "admin");
    const output = await makePicture();
    const token = await share(output);
    const { status, body } = await report(token);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^rep_/),
      object: "report_received",
      created_at: expect.any(String),
    });
    expect((await send(null, "GET", `/shared/${token}`)).status).toBe(200);
    const noticed = async (bearer: string, cause: string) =>
      ((await send(bearer, "GET", "/notices")).body as unknown as NoticeList).data.filter(
        (notice) => notice.cause === cause && notice.subject_id === output.id,
      );
    await vi.waitFor(async () => {
      expect(await noticed(account.session, "share.reported")).toHaveLength(1);
      const [notice] = await noticed(operator.session, "file.reported");
      expect(notice).toMatchObject({ path: `/operator/reports/${body.id}`, account_id: null });
    });
    expect(await noticed(viewer.session, "share.reported")).toEqual([]);
    // A stranger's words are on the page only.
    const [notice] = await noticed(account.session, "share.reported");
    expect(JSON.stringify(notice)).not.toContain("This is me");
    expect((await send(account.session, "GET", "/reports")).body).toMatchObject({
      data: [{ id: body.id, ...complaint, status: "open", copies: { files: 1, sent: 0 } }],
    });
  });

  it("is seen by the owners of its account and by operators only", async () => {
    const id = await reported(await makePicture());
    const other = await gateway.createAccount();
    const admin = await gateway.addMember(account, "admin");
    for (const action of ["remove", "dismiss"])
      expect(await send(other.session, "POST", `/reports/${id}/${action}`)).toMatchObject(
        refusal(404, "report_not_found"),
      );
    expect(await send(other.session, "GET", `/reports/${id}`)).toMatchObject(
      refusal(404, "report_not_found"),
    );
    expect((await send(other.session, "GET", "/reports")).body.data).toEqual([]);
    expect(await send(admin.session, "GET", "/reports")).toMatchObject(refusal(403, "role_not_allowed"));
    expect(await send(account.session, "GET", "/operator/reports")).toMatchObject(
      refusal(403, "operator_required"),
    );
    expect((await send(operator.session, "GET", "/operator/reports")).body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ id, account: { id: account.accountId, name: expect.any(String) } }),
      ]),
    });
  });

  it.each([
    ["a reason of its own", { reason: "because" }],
    ["a comment that is too long", { comment: "x".repeat(reportLimits.commentLength + 1) }],
    ["no address", { email: "nobody" }],
    ["an address that is too long", { email: `${"x".repeat(reportLimits.emailLength)}@example.com` }],
    ["another field", { __proto__x: 1 }],
  ])("with %s is refused", async (_what, more) => {
    expect((await report(await share(await makePicture()), more)).status).toBe(400);
  });

  it("of a file or link that is not there is refused like the link itself", async () => {
    const token = await share(await makePicture());
    expect(await report(token, { file: 2 })).toMatchObject(refusal(404, "share_not_found"));
    expect(await report(`${token.slice(0, -1)}${token.endsWith("-") ? "_" : "-"}`)).toMatchObject(
      refusal(404, "share_not_found"),
    );
  });

  it("is limited per client address, per link and per account", async () => {
    const token = await share(await makePicture());
    for (let sent = 0; sent < reportLimits.perHour; sent += 1) expect((await report(token)).status).toBe(201);
    expect(await report(token)).toMatchObject(refusal(429, "rate_limit_exceeded"));
    const limit = { name: "reports", count: reportLimits.perHour, periodMs: 3_600_000 };
    await gateway.context.limiter.reset(addressBlock("127.0.0.1"), limit);
    await sql(
      `insert into reports (id, account_id, share_id, output_id, sha256, reason, comment, email)
       select id || '_' || n, account_id, share_id, output_id, sha256, reason, comment, email
       from (select * from reports where account_id = $1 limit 1) one, generate_series(1, $2) n`,
      account.accountId,
      reportLimits.openPerLink - reportLimits.perHour,
    );
    expect(await report(token)).toMatchObject(refusal(409, "too_many_reports"));
    // Another link still can be reported.
    expect((await report(await share(await makePicture()))).status).toBe(201);
  });

  it("can be dismissed: by the owners, and by the operators for themselves", async () => {
    const id = await reported(await makePicture());
    const dismissed = await send(account.session, "POST", `/reports/${id}/dismiss`);
    expect(dismissed.body).toMatchObject({ status: "dismissed", copies: { files: 1 } });
    expect(await send(account.session, "POST", `/reports/${id}/dismiss`)).toMatchObject(
      refusal(409, "report_decided"),
    );
    const open = await send(operator.session, "GET", `/operator/reports/${id}`);
    expect(open.body).toMatchObject({ status: "open", copies: { files: 1, accounts: 1 } });
    expect((await send(operator.session, "POST", `/operator/reports/${id}/dismiss`)).body).toMatchObject({
      status: "dismissed",
    });
  });
});

describe("removing a reported file", () => {
  /** The same bytes as an output, a kept copy and an upload of an account. */
  async function spread(owner: TestAccount, prompt: string) {
    const first = await makePicture(owner, prompt);
    const second = await makePicture(owner, prompt);
    expect(await hashOf(second)).toBe(await hashOf(first));
    await kept(second, owner);
    const bytes = Buffer.from(await (await fetch(String(first.url))).arrayBuffer());
    const upload = await verifiedUpload(gateway, owner.key, bytes);
    const { rows } = await sql("select key from kept_outputs where output_id = $1", second.id);
    expect(await statusOf(first.preview_url)).toBe(200);
    return { first, second, upload, bytes, keptKey: String(rows[0]?.key) };
  }
  const isStored = async (key: string) => (await gateway.context.store.head(key)) !== null;

  it("takes every identical file of the account and none of another's, and says in the audit log who did it", async () => {
    const prompt = "the same in two accounts";
    const other = await gateway.createAccount();
    const [mine, theirs] = [await spread(account, prompt), await spread(other, prompt)];
    const token = await share(mine.second);
    const theirToken = await share(theirs.second, other);
    const id = String((await report(token)).body.id);
    const seen = await send(account.session, "GET", `/reports/${id}`);
    expect(seen.body).toMatchObject({ copies: { files: 4 } });
    expect(JSON.stringify(seen.body)).not.toContain("accounts");

    const { body } = await send(account.session, "POST", `/reports/${id}/remove`);
    expect(body).toMatchObject({ status: "removed", removed_files: 4, removed_by_operator: false });
    expect(body).toMatchObject({ copies: { files: 0 } });
    expect(await send(null, "GET", `/shared/${token}`)).toMatchObject(refusal(404, "share_not_found"));
    for (const url of [mine.first.url, mine.second.url, mine.first.preview_url, mine.upload.download_url])
      expect(await statusOf(url), String(url)).toBe(410);
    expect(await isStored(mine.keptKey)).toBe(false);
    expect((await send(account.key, "GET", "/outputs")).body.data).toEqual([]);

    expect((await send(null, "GET", `/shared/${theirToken}`)).status).toBe(200);
    for (const url of [theirs.first.url, theirs.second.url, theirs.upload.download_url])
      expect(await statusOf(url), String(url)).toBe(200);
    await kept(theirs.first, other);

    const { data } = (await send(account.session, "GET", "/audit_logs")).body as {
      data: Record<string, unknown>[];
    };
    expect(data.filter(({ action }) => String(action).startsWith("report."))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: "report.removed",
          target_id: id,
          actor: expect.objectContaining({ type: "user", user_id: account.userId }),
        }),
        expect.objectContaining({
          action: "report.files_removed",
          detail: expect.objectContaining({ decided_by: "owner" }),
        }),
      ]),
    );
  });

  it("as an operator takes it from all accounts, which learn only that the operator did", async () => {
    const prompt = "the same everywhere";
    const other = await gateway.createAccount();
    const [mine, theirs] = [await spread(account, prompt), await spread(other, prompt)];
    const id = await reported(mine.first);
    const theirId = await reported(theirs.first, other);
    expect((await send(operator.session, "GET", `/operator/reports/${id}`)).body).toMatchObject({
      copies: { files: 8, accounts: 2 },
    });
    expect((await send(operator.session, "POST", `/operator/reports/${id}/remove`)).body).toMatchObject({
      status: "removed",
      removed_files: 8,
    });
    for (const { first, second, upload, keptKey } of [mine, theirs]) {
      for (const url of [first.url, second.url, upload.download_url]) expect(await statusOf(url)).toBe(410);
      expect(await isStored(keptKey)).toBe(false);
    }
    expect((await send(other.session, "GET", `/reports/${theirId}`)).body).toMatchObject({
      status: "removed",
      removed_files: 4,
      removed_by_operator: true,
    });
    const third = await gateway.createAccount();
    const again = await makePicture(third, prompt);
    const refused = await send(third.key, "POST", `/outputs/${again.id}/keep`, {});
    expect(refused).toMatchObject(refusal(403, "file_barred"));
    expect(String((refused.body.error as { message: string }).message)).toMatch(
      /^The operator of this gateway barred this file\./,
    );
  });

  it("removes the input files of runs and of kept outputs too", async () => {
    await gateway.attest(account, "portrait_rights", "adult");
    const output = await makePicture();
    const picture = Buffer.from(await (await fetch(String(output.url))).arrayBuffer());
    const upload = await verifiedUpload(gateway, account.key, picture);
    const swap = {
      model: "svc/swap-1",
      person_rights_confirmed: true,
      image: [smallImage, upload.reference],
    };
    const { body: run } = await send(account.key, "POST", "/images/edits", swap);
    let edited: Output | undefined;
    await vi.waitFor(async () => {
      const { data } = (await send(account.key, "GET", `/outputs?prediction_id=${run.id}`)).body;
      edited = (data as Output[])[0];
      expect(edited).toBeDefined();
    });
    await kept(edited as Output);
    const inputs = async () =>
      (
        await sql(
          `select file->>'key' as key from (select media from predictions where id = $1
           union all select media from kept_outputs where output_id = $2) rows, jsonb_array_elements(media) file
           where file->>'sha256' = $3`,
          run.id,
          edited?.id,
          await hashOf(output),
        )
      ).rows.map(({ key }) => String(key));
    const keys = await inputs();
    expect(keys).toHaveLength(2);
    const id = await reported(output);
    expect((await send(account.session, "POST", `/reports/${id}/remove`)).body).toMatchObject({
      status: "removed",
    });
    for (const key of keys) expect(await isStored(key)).toBe(false);
    expect(await inputs()).toEqual([]);
  });

  it("that breaks off serves nothing through links, and continues until all is gone", async () => {
    const prompt = "removed in two attempts";
    const { first, second, keptKey } = await spread(account, prompt);
    const token = await share(second);
    const id = String((await report(token)).body.id);
    const { store } = gateway.context;
    const broken = vi.spyOn(store, "delete").mockRejectedValue(new Error("the process is killed here"));
    const { body } = await send(account.session, "POST", `/reports/${id}/remove`);
    expect(body).toMatchObject({ status: "removing" });
    expect(await send(null, "GET", `/shared/${token}`)).toMatchObject(refusal(404, "share_not_found"));
    expect(await send(account.key, "POST", `/outputs/${first.id}/shares`, { expires_in: 600 })).toMatchObject(
      refusal(403, "file_barred"),
    );
    broken.mockRestore();
    while (await removeIdentical(gateway.context));
    expect((await send(account.session, "GET", `/reports/${id}`)).body).toMatchObject({ status: "removed" });
    expect(await statusOf(first.url)).toBe(410);
    expect(await isStored(keptKey)).toBe(false);
    // Asked again, it changes nothing.
    expect((await send(account.session, "POST", `/reports/${id}/remove`)).body).toMatchObject({
      status: "removed",
    } satisfies Partial<Report>);
  });
});

describe("a barred file", () => {
  interface Case {
    output: Output;
    token: string;
    destination: string;
  }
  const post = (path: string, body?: unknown) => send(account.session, "POST", path, body);
  /** What each entrance answers; those that copy later answer with the error of the copy. */
  const entrances: Record<string, (about: Case) => Promise<unknown>> = {
    "keeping it": async ({ output }) => post(`/outputs/${output.id}/keep`, {}),
    "changing a kept one": async ({ output }) => post(`/outputs/${output.id}/keep`, { labels: ["again"] }),
    "sharing it": ({ output }) => post(`/outputs/${output.id}/shares`, { expires_in: 600 }),
    "sharing it beside another": async ({ output }) =>
      post(`/outputs/${(await makePicture()).id}/shares`, { expires_in: 600, with: [output.id] }),
    "copying it": ({ output, destination }) => post(`/outputs/${output.id}/copies`, { destination }),
    "retrying a copy": async ({ output, destination }) => {
      await sql(
        `insert into copies (id, account_id, destination_id, output_id, trigger, status)
         values ('cpy_' || substr($1, 5), $2, $3, $1, 'manual', 'failed') on conflict do nothing`,
        output.id,
        account.accountId,
        destination,
      );
      return post(`/copies/cpy_${output.id.slice(4)}/retry`);
    },
    "a copy that waits": async ({ output, destination }) => {
      const id = `cpy_${output.id.slice(4)}`;
      await sql(
        `insert into copies (id, account_id, destination_id, output_id, trigger, status, next_attempt_at)
         values ($4, $2, $3, $1, 'automatic', 'pending', now())
         on conflict (destination_id, output_id) do update set status = 'pending', next_attempt_at = now(), tries = 0`,
        output.id,
        account.accountId,
        destination,
        id,
      );
      let copy: Record<string, unknown> = {};
      await vi.waitFor(async () => {
        copy = (await send(account.session, "GET", `/copies/${id}`)).body;
        expect(copy.status).toBe("failed");
      });
      return { status: 403, body: { error: copy.last_error } };
    },
    "uploading it": async ({ output }) => {
      const bytes = Buffer.from(await (await fetch(String(output.url))).arrayBuffer());
      const { status, error } = await verifiedUpload(gateway, account.key, bytes);
      expect(status).toBe("rejected");
      return { status: 403, body: { error } };
    },
  };

  describe.each(["account", "installation"] as const)("in the whole %s", (scope) => {
    it.each(Object.entries(entrances))("is refused by %s", async (name, enter) => {
      const output = await makePicture();
      if (name === "changing a kept one") await kept(output);
      const token = await share(output);
      const { body } = await send(account.session, "POST", "/destinations", scene.settings);
      const about = { output, token, destination: String(body.id) };
      const sha256 = await hashOf(output);
      await gateway.context.database.transaction((queries) =>
        barFile(queries, sha256, scope === "account" ? account.accountId : null),
      );
      expect(await enter(about)).toMatchObject({ status: 403, body: { error: { code: "file_barred" } } });
      expect(await send(null, "GET", `/shared/${token}`)).toMatchObject(refusal(404, "share_not_found"));
      expect((await send(null, "GET", `/shared/${token}/files/1`)).status).toBe(404);
    });
  });

  describe("whose upload is being verified", () => {
    /** The bytes of a reported picture, received as an upload and not verified yet, by a store that joined their parts. */
    async function receivedAgain() {
      const output = await makePicture();
      const id = await reported(output);
      const bytes = Buffer.from(await (await fetch(String(output.url))).arrayBuffer());
      const upload = await announce(gateway, account.key, bytes);
      expect((await put(upload, bytes)).status).toBe(200);
      const sha256 = await hashOf(output);
      await sql("update uploads set sha256 = null where id = $1", upload.id);
      await sql(
        "insert into upload_parts (upload_id, number, size_bytes, sha256) values ($1, 1, $2, $3)",
        upload.id,
        bytes.length,
        sha256,
      );
      return { id, upload, sha256, bytes };
    }
    const checked = async (id: string) => (await verify(gateway, account.key, id)).upload;
    /** Waits until a statement waits for such a lock. */
    const someoneWaitsFor = (locktype: "advisory" | "transactionid") =>
      vi.waitFor(async () => {
        const { rows } = await sql(
          `select 1 from pg_locks join pg_stat_activity a using (pid)
             where not granted and locktype = $1 and a.datname = current_database()`,
          locktype,
        );
        expect(rows).toHaveLength(1);
      });

    it("is rejected if the bar comes first, until an operator deletes the bar", async () => {
      const { upload, sha256, bytes } = await receivedAgain();
      let checking: Promise<Upload> | undefined;
      await gateway.context.database.transaction(async (queries) => {
        await barFile(queries, sha256, account.accountId);
        checking = checked(upload.id);
        await Promise.race([checking, someoneWaitsFor("advisory")]);
      });
      expect(await checking).toMatchObject({ status: "rejected", error: { code: "file_barred" } });
      // The statement of docs/sharing.md.
      await sql("DELETE FROM barred_files WHERE sha256 = $1 AND scope = $2", sha256, account.accountId);
      const next = await announce(gateway, account.key, bytes);
      await put(next, bytes);
      expect(await checked(next.id)).toMatchObject({ status: "verified" });
    });

    it("is removed with the others if the bar comes second", async () => {
      const { id, upload } = await receivedAgain();
      let checking: Promise<Upload> | undefined;
      let deciding: Promise<unknown> | undefined;
      // The verification stops here at its last statement.
      await gateway.context.database.transaction(async (queries) => {
        await queries.select().from(uploads).where(eq(uploads.id, upload.id)).for("update");
        checking = checked(upload.id);
        await someoneWaitsFor("transactionid");
        deciding = send(account.session, "POST", `/reports/${id}/remove`);
        await Promise.race([deciding, someoneWaitsFor("advisory")]);
      });
      expect(await checking).toMatchObject({ status: "verified" });
      await deciding;
      while (await removeIdentical(gateway.context));
      expect((await send(account.session, "GET", `/reports/${id}`)).body).toMatchObject({
        status: "removed",
      });
      expect(await checked(upload.id)).toMatchObject({ status: "expired", download_url: null });
    });
  });

  it("is refused as the input of an output to keep", async () => {
    await gateway.attest(account, "portrait_rights", "adult");
    const upload = await verifiedUpload(gateway, account.key, png);
    const swap = {
      model: "svc/swap-1",
      person_rights_confirmed: true,
      image: [smallImage, upload.reference],
    };
    const { body: run } = await post("/images/edits", swap);
    let edited: Output | undefined;
    await vi.waitFor(async () => {
      const { data } = (await send(account.key, "GET", `/outputs?prediction_id=${run.id}`)).body;
      edited = (data as Output[])[0];
      expect(edited).toBeDefined();
    });
    await gateway.context.database.transaction((queries) =>
      barFile(queries, String(upload.sha256), account.accountId),
    );
    expect(await post(`/outputs/${edited?.id}/keep`, {})).toMatchObject(refusal(403, "file_barred"));
  });
});

it("without extensions there are no reports", async () => {
  const bare = await startTestGateway({ role: "api", extensions: false });
  try {
    const owner = await bare.createAccount();
    for (const [method, path] of [
      ["GET", "/reports"],
      ["POST", "/reports/rep_1/remove"],
      ["GET", "/operator/reports"],
      ["POST", "/shared/abc/reports"],
    ] as const)
      expect((await call(bare, owner.session, method, path)).body.error, path).toMatchObject({
        code: "route_not_found",
      });
  } finally {
    await bare.close();
  }
});
