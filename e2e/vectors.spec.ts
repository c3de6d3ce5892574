import { expect, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";

test("an operator adds models for vectors and rankings from templates and tries them", async ({
  page,
  ownerApi,
}) => {
  await openPage(page, "/operator/models/new");
  await page.getByRole("radio", { name: "From a template" }).check();
  const templates = page.getByRole("combobox", { name: /^Template/ });
  await templates.selectOption("template/rerank:rerank");
  await expectAccessibleState(page);
  const make = (kind: string) =>
    ownerApi.post("/operator/models", {
      id: `acme/${kind}`,
      template: { model: `template/${kind}`, api_type: kind },
    });
  await make("embeddings");
  await make("rerank");
  try {
    const playground = new Playground(page);
    await playground.open("acme/embeddings", "embeddings");
    await playground.run.click();
    const vectors = playground.result.getByRole("table", { name: "Vectors" });
    await expect(vectors.getByRole("row")).toHaveCount(3);
    await expect(vectors.getByRole("cell", { name: "100 %" })).toBeVisible();
    await expect(vectors.getByRole("cell", { name: "256" }).first()).toBeVisible();
    await expectAccessibleState(page);

    await playground.open("acme/rerank", "rerank");
    await playground.run.click();
    const ranking = playground.result.getByRole("table", { name: "Ranking" });
    await expect(ranking.getByRole("row").nth(1)).toContainText("In January the harbour freezes over.");
    await expectAccessibleState(page);
  } finally {
    for (const kind of ["embeddings", "rerank"])
      await ownerApi.send("DELETE", `/operator/models/acme/${kind}`);
  }
});
