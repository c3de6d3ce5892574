import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { main } from "./main.ts";

const config = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: "sk-in-clear'1", unheard_of: true }
    model_info: { input_cost_per_token: 2.5e-06 }
  - model_name: fast
    litellm_params: { model: groq/small, api_key: os.environ/GROQ_API_KEY }
litellm_settings: { max_budget: 100, budget_duration: 30d, fallbacks: [{ gpt-4o: [fast] }] }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "gatehouse-import-"));
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

async function imported(content: string, ...words: string[]): Promise<{ code: number; said: string }> {
  const name = path.join(folder, "config.yaml");
  writeFileSync(name, content);
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  const error = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)));
  const code = await main(["import", "litellm", name, ...words]);
  log.mockRestore();
  error.mockRestore();
  return { code, said: lines.join("\n") };
}

it("shows the file, what is left out, the calls of the account and a key in clear once, and writes the file", async () => {
  const out = path.join(folder, "gatehouse.json");
  const { code, said } = await imported(config, "--out", out, "--account", "acct_1");
  expect(code).toBe(0);
  expect(said.split("\n")).toEqual([
    "provider  openai: https://api.openai.com/v1, key in OPENAI_KEY",
    "provider  groq: https://api.groq.com/openai/v1, key in GROQ_API_KEY",
    "model     openai/gpt-4o: gpt-4o by openai",
    "model     groq/fast: small by groq",
    "alias     gpt-4o: openai/gpt-4o, groq/fast",
    "alias     fast: groq/fast",
    "price     openai/gpt-4o: input_token 2.5 per 1000000",
    "",
    "Not carried over, or different:",
    "  model_list[0].litellm_params.unheard_of: This command does not know the field.",
    expect.stringContaining("Check its spelling"),
    "  groq/fast: Their messages may have text only.",
    expect.stringContaining("Set model_info.supports_vision: true"),
    "",
    expect.stringContaining("virtual keys, teams and their budgets"),
    expect.stringContaining("not priced"),
    "",
    expect.stringContaining("of the account acct_1."),
    '  PATCH /v1/account/budgets {"budgets":[{"amount":"100","period":"month","hard":true}]}',
    "",
    expect.stringContaining("shown once"),
    "export OPENAI_KEY='sk-in-clear'\\''1'",
    "",
    `Wrote ${out}. Next: npm run -s gatehouse -- apply ${out} --dry-run --key "$OPERATOR_KEY"`,
  ]);
  expect(readFileSync(out, "utf8")).not.toContain("sk-in-clear");
});

it("writes nothing without --out, and says what is wrong with the command or the file", async () => {
  expect((await imported(config)).said).toContain("Nothing was written");
  expect(await imported(config, "--region", "moon")).toMatchObject({
    code: 2,
    said: expect.stringContaining("--region must be one of"),
  });
  expect(await imported("services: {}")).toMatchObject({
    code: 1,
    said: expect.stringContaining("no model_list"),
  });
  expect(await imported(`#${"x".repeat(300_000)}`)).toMatchObject({
    code: 1,
    said: expect.stringContaining("larger than 256 kB"),
  });
  expect(await main(["import", "litellm"])).toBe(2);
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await main(["import", "litellm", "nofile.yaml"])).toBe(1);
  expect(error).toHaveBeenLastCalledWith("There is no file nofile.yaml.");
  vi.stubEnv("GATEHOUSE_API_KEY", "");
  expect(await main(["apply", "nofile.json", "--gateway", "http://localhost:1"])).toBe(2);
  expect(error.mock.calls.join("\n")).toContain(
    "gatehouse -- keys create --email <yours> --name setup --operator",
  );
  vi.unstubAllEnvs();
});
