import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Attempt } from "#contract/webhook.ts";
import { AttemptDetail } from "./attempt-detail.tsx";

afterEach(cleanup);

it.each([
  ["dns_failed", "No response."],
  ["interrupted", "It is unknown whether there was a response."],
])("says what is known of the response after %s", (error_code, sentence) => {
  const attempt = {
    ...{
      number: 1,
      url: "https://a.example/",
      request_headers: null,
      request_body: null,
      response_status: null,
      timings: {},
    },
    error_code,
  } as Attempt;
  render(<AttemptDetail attempt={attempt} />);
  expect(screen.getByText(sentence)).toBeTruthy();
});
