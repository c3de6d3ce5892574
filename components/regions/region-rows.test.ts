import { expect, it } from "vitest";
import type { CatalogModel, RegionEntry } from "#contract/catalog.ts";
import { regionRows } from "./region-rows.ts";

const region = (id: string, status = "healthy") => ({ id, status }) as RegionEntry;
const model = {
  id: "svc/chat-1",
  operations: [
    {
      api_type: "chat-completions",
      deployments: [
        { gateway_region: "us-oregon", status: "healthy" },
        { gateway_region: "us-virginia", status: "degraded" },
      ],
    },
  ],
} as CatalogModel;

it("counts the deployments of each region and names the unhealthy ones", () => {
  const [virginia, oregon] = regionRows([region("us-oregon"), region("us-virginia")], [model]);
  expect(oregon).toMatchObject({ id: "us-oregon", deployments: 1, troubled: [] });
  expect(virginia?.troubled).toEqual([
    { modelId: "svc/chat-1", apiType: "chat-completions", region: "us-virginia", status: "degraded" },
  ]);
});

it("puts a region that is down before one with an unhealthy deployment", () => {
  const rows = regionRows([region("us-oregon"), region("us-virginia"), region("jp-tokyo", "down")], [model]);
  expect(rows.map((row) => row.id)).toEqual(["jp-tokyo", "us-virginia", "us-oregon"]);
});

it("works without the catalog", () => {
  expect(regionRows([region("us-oregon")], null)).toMatchObject([{ deployments: null, troubled: [] }]);
});
