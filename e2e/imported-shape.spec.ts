import { falPictures } from "../gateway/models/configuration/models/testing/published.ts";
import { startFalServer } from "../gateway/models/providers/testing/fal-server.ts";
import { expect, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { Playground } from "./pages/playground.ts";

test("an imported model's form is filled in by keyboard, and runs the model", async ({ page, ownerApi }) => {
  const upstream = await startFalServer();
  upstream.documents = { "fal-ai/pictures/dev": falPictures };
  upstream.result = (origin) => ({ images: [{ url: `${origin}/files/out.png` }] });
  const provider = await ownerApi.post("/operator/providers", {
    name: "shapes",
    protocol: "fal",
    base_url: upstream.origin,
    credentials: { "us-virginia": { key: "test" } },
    allow_private: true,
  });
  try {
    await ownerApi.post("/operator/models", {
      id: "acme/shapes",
      import: { provider: "shapes", name: "fal-ai/pictures/dev" },
    });
    const playground = new Playground(page);
    await playground.open("acme/shapes", "image-generation");
    const { input } = playground;
    await input.getByLabel(/^Prompt/).fill("A cat in a hat");

    const size = input.getByRole("group", { name: "Image Size" });
    await size.getByRole("radio", { name: "Default" }).focus();
    await page.keyboard.press("ArrowRight");
    await size.getByLabel(/^Width/).press("ControlOrMeta+a");
    await page.keyboard.type("640");
    await input.getByText("More options").press("Enter");
    await input.getByRole("button", { name: "Add LoRA" }).press("Enter");
    await input.getByRole("group", { name: "LoRA 1" }).getByLabel(/^Path/).fill("https://example.com/a");
    await expectAccessibleState(page);

    await playground.run.press("Enter");
    await expect(playground.result.getByRole("img").first()).toBeVisible();
    const asked = upstream.seen.find(({ method }) => method === "POST");
    expect(asked?.json()).toMatchObject({
      prompt: "A cat in a hat",
      image_size: { width: 640 },
      loras: [{ path: "https://example.com/a" }],
    });
  } finally {
    await ownerApi.send("DELETE", "/operator/models/acme/shapes");
    await ownerApi.send("DELETE", `/operator/providers/${provider.id}`);
    await upstream.close();
  }
});
