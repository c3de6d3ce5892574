import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { expect } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { freePort } from "#gateway/testing/program.ts";

/** Runs the receiver of docs/guards.md in a language, and asks it about words, a picture, and a false signature. */
export async function tryExample(language: "ts" | "python", command: string): Promise<void> {
  const text = readFileSync(path.resolve(import.meta.dirname, "../../../../docs/guards.md"), "utf8");
  const code = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(text)?.[1] ?? "";
  const file = path.join(newFolder("example"), language === "ts" ? "guard.mts" : "guard.py");
  await writeFile(file, code);
  const port = await freePort();
  const gateway = await startTestGateway();
  const { session, key } = await gateway.createAccount();
  const url = `http://127.0.0.1:${port}/guard`;
  const { body } = await call(gateway, session, "POST", "/operator/guard", { url, allow_private: true });
  const env = { ...process.env, PORT: String(port), GUARD_SECRET: String(body.secret) };
  const program = spawn(command, [file], { env, stdio: ["ignore", "ignore", "inherit"] });
  try {
    await expect
      .poll(
        () =>
          fetch(url, { method: "POST", body: "{}" }).then(
            ({ status }) => status,
            () => 0,
          ),
        {
          timeout: 20_000,
        },
      )
      .toBe(401);
    const chat = async (content: string) => {
      const messages = [{ role: "user", content }];
      return (await call(gateway, key, "POST", "/chat/completions", { model: "svc/chat-1", messages })).body;
    };
    const edit = async (side: number) => {
      const picture = await sharp({
        create: { width: side, height: side, channels: 3, background: "#808080" },
      })
        .png()
        .toBuffer();
      const image = `data:image/png;base64,${picture.toString("base64")}`;
      const input = { model: "svc/img-gen-a-1", prompt: "A pine", image };
      return (await call(gateway, key, "POST", "/images/edits", input)).body;
    };
    expect(await chat("Hello")).toHaveProperty("choices");
    expect(await chat("What is Project Bluebird?")).toMatchObject({
      error: { code: "content_blocked", message: expect.stringContaining("project bluebird") },
    });
    expect(await edit(600)).not.toHaveProperty("error");
    expect(await edit(2_100)).toMatchObject({
      error: { code: "content_blocked", message: expect.stringContaining("4000000 pixels") },
    });
  } finally {
    program.kill();
    await once(program, "exit");
    await gateway.close();
  }
}
