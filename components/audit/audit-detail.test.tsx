import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { signInRules } from "#contract/accounts/account.ts";
import { contentsRules, keyContents, keyKinds, roles } from "#contract/accounts/constants.ts";
import { secondFactorWays } from "#contract/accounts/second-factor.ts";
import { goOnReasons } from "#contract/alias-constants.ts";
import { attestationKinds } from "#contract/attestations.ts";
import { batchKinds } from "#contract/batch-constants.ts";
import { connectionEnds } from "#contract/connection-constants.ts";
import { automaticCopies, destinationStatuses } from "#contract/copy-constants.ts";
import { guardFallbacks, guardStages, guardStreams } from "#contract/guard-constants.ts";
import { budgetPeriods } from "#contract/money/budget-constants.ts";
import { routeReasons } from "#contract/operator/constants.ts";
import { reportReasons } from "#contract/share-constants.ts";
import { incidentImpacts, incidentStatuses } from "#contract/status-constants.ts";
import { uploadStatuses } from "#contract/upload-constants.ts";
import { viewLists } from "#contract/view-constants.ts";
import { deliveryStatuses, disabledReasons, resendIncludes } from "#contract/webhook-constants.ts";
import { WordsContext } from "@/components/words/words-provider";
import { compiledPart } from "@/messages/compile";
import { english } from "@/scripts/testing/english";
import { AuditDetail } from "./audit-detail.tsx";

it("shows that an output is kept without end", () => {
  const { rerender } = render(<AuditDetail detail={{ model: "svc/img-gen-b", kept_until: null }} />);
  expect(screen.getByText("kept").nextSibling?.textContent).toBe("without end");
  rerender(<AuditDetail detail={{ kept_until: "2026-12-01T00:00:00Z" }} />);
  expect(screen.getByText("kept until").nextSibling?.textContent).toBe("1 Dec 2026, 00:00:00 UTC");
});

it("shows times as everywhere else, also inside objects and in differences", () => {
  const at = (day: number) => `2026-12-0${day}T00:00:00.000Z`;
  const detail = {
    budget: { ends_at: at(1), amount: "5" },
    before: { until: at(2) },
    after: { until: at(3) },
  };
  const { container } = render(<AuditDetail detail={detail} />);
  const times = [...container.querySelectorAll("time")];
  expect(times.map(({ dateTime, textContent }) => [dateTime, textContent])).toEqual(
    [1, 2, 3].map((day) => [at(day), `${day} Dec 2026, 00:00:00 UTC`]),
  );
});

it("says what a change says only once, and leaves out facts without a value", () => {
  const detail = {
    name: "gpt-4o",
    models: [],
    prefix: null,
    before: null,
    after: { name: "gpt-4o", models: ["a/b"] },
  };
  const { container } = render(<AuditDetail detail={detail} />);
  expect(container.textContent).toBe("name gpt-4omodels a/b");
});

it("says in Chinese how many parts an export has, and whose a file was, with different words", () => {
  const messages = { auditLog: compiledPart("zh-CN", "auditLog") };
  render(
    <WordsContext value={{ language: "zh-CN", messages }}>
      <AuditDetail detail={{ part: 2, of: 3 }} />
      <AuditDetail detail={{ files: 1, of: ["file_1"] }} />
    </WordsContext>,
  );
  expect(screen.getByText("部分总数").nextSibling?.textContent).toBe("3");
  expect(screen.getByText("所属").nextSibling?.textContent).toBe("file_1");
});

it("says words of ours in the reader's language, also inside objects, and names as they are", () => {
  const detail = {
    name: "off",
    method: "oidc",
    contents: { keep: "off", days: 30, embeddings: false },
    budgets: [
      { amount: "10", period: "month" },
      { amount: "100", period: "total" },
    ],
  };
  const { container } = render(<AuditDetail detail={detail} />);
  const said = [...container.querySelectorAll("dd")].map((each) => each.textContent);
  expect(said).toEqual([
    "off",
    "identity provider",
    "keep nothing, days 30, embeddings no",
    "amount 10, period month; amount 100, period total",
  ]);
});

it("has a word for each value that a field can have", () => {
  const t = english("auditLog");
  const values = {
    role: roles,
    second_factor: secondFactorWays,
    sign_in: signInRules,
    kind: [...keyKinds, ...attestationKinds, ...batchKinds],
    contents: keyContents,
    keep: contentsRules,
    automatic: automaticCopies,
    reason: [...disabledReasons, ...connectionEnds, ...reportReasons],
    impact: incidentImpacts,
    status: [...incidentStatuses, ...destinationStatuses, ...uploadStatuses, ...deliveryStatuses],
    include: resendIncludes,
    list: viewLists,
    stages: guardStages,
    streams: guardStreams,
    on_error: guardFallbacks,
    period: budgetPeriods,
    go_on_when: [...routeReasons, ...goOnReasons],
  };
  const names = Object.entries(values).flatMap(([field, all]) =>
    all.map((value) => `value.${field}.${value.replace("-", "_")}`),
  );
  expect(names.filter((name) => !t.has(name))).toEqual([]);
});
