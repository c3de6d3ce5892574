import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ReadForm } from "./read-form.tsx";

const requests = vi.fn<typeof fetch>();
const route = {
  summary: "Read a prediction",
  path: "/v1/predictions/{id}",
  parameters: [
    { name: "id", inPath: true, required: true, options: [] },
    { name: "status", inPath: false, required: false, options: ["failed", "succeeded"] },
  ],
};

beforeEach(() => vi.stubGlobal("fetch", requests));
afterEach(() => {
  cleanup();
  requests.mockReset();
  vi.unstubAllGlobals();
});

const send = () => userEvent.click(screen.getByRole("button", { name: "Send request" }));

it("requires the mandatory values before it sends anything", async () => {
  render(<ReadForm route={route} />);
  expect(document.activeElement).toBe(screen.getByLabelText(/id/));
  await send();
  expect(screen.getByText("Enter id")).toBeTruthy();
  expect(requests).not.toHaveBeenCalled();
});

it("reads through the relay and shows the response unchanged, also a refusal", async () => {
  requests.mockImplementation(async () =>
    Response.json(
      { error: { code: "prediction_not_found" } },
      { status: 404, headers: { "x-request-id": "req_9" } },
    ),
  );
  render(<ReadForm route={route} />);
  await userEvent.type(screen.getByLabelText(/id/), "pred_1/..");
  await userEvent.selectOptions(screen.getByLabelText("status"), "failed");
  await send();
  expect(requests.mock.calls[0]?.[0]).toBe("/api/gateway/predictions/pred_1%2F..?status=failed");
  expect(requests.mock.calls[0]?.[1]).toMatchObject({ method: "GET", cache: "no-store" });
  expect((await screen.findByRole("status")).textContent).toMatch(/^404 in .*req_9$/);
  expect(screen.getByText(/prediction_not_found/)).toBeTruthy();
});
