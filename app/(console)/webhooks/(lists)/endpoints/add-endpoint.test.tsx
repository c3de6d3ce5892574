import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { EndpointWithSecret } from "#contract/webhook.ts";
import { type GatewayResult, localFailure } from "@/lib/gateway/result";
import { addEndpoint } from "@/lib/gateway/secret-actions";
import { AddEndpoint } from "./add-endpoint.tsx";

vi.mock("@/lib/gateway/secret-actions", () => ({ addEndpoint: vi.fn() }));
const create = vi.mocked(addEndpoint);

afterEach(() => {
  cleanup();
  create.mockReset();
});

it("stays open while the endpoint is created, and can be closed again after a failure", async () => {
  const answer = Promise.withResolvers<GatewayResult<EndpointWithSecret>>();
  create.mockImplementation(async () => ({ answer: answer.promise }));
  const onClose = vi.fn();
  render(<AddEndpoint canList onAdded={() => {}} onCancel={onClose} />);
  const url = screen.getByLabelText(/URL/);
  await userEvent.type(url, "https://example.com/hooks");
  await userEvent.click(screen.getByRole("button", { name: "Add endpoint" }));
  await vi.waitFor(() => expect(create).toHaveBeenCalledTimes(1));
  fireEvent.keyDown(url, { key: "Escape" });
  fireEvent.mouseDown(screen.getByRole("dialog"));
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onClose).not.toHaveBeenCalled();

  answer.resolve({ ok: false, error: localFailure("offline", "No connection.") });
  await screen.findByRole("alert");
  fireEvent.keyDown(url, { key: "Escape" });
  expect(onClose).toHaveBeenCalledTimes(1);
});

it("refuses a URL that is too long, and keeps its whole text", async () => {
  render(<AddEndpoint canList onAdded={() => {}} onCancel={() => {}} />);
  const url = screen.getByLabelText(/URL/);
  const tooLong = `https://example.com/${"a".repeat(2980)}`;
  await userEvent.click(url);
  await userEvent.paste(tooLong);
  await userEvent.click(screen.getByRole("button", { name: "Add endpoint" }));
  await screen.findByText("Use at most 2,048 characters; this URL has 3,000.");
  expect(url).toHaveProperty("value", tooLong);
  expect(create).not.toHaveBeenCalled();
});
