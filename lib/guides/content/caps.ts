import type { Guide } from "../guide.ts";

const missing = "This gateway has no extensions, so it has no caps per task.";

export const capsGuide: Guide = {
  sections: [
    {
      title: "What a cap does",
      parts: [
        {
          text: "An agent in a loop spends until a budget of its key is used up, and then all its work stops. A cap per task stops only the loop: each value of one metadata key, such as `session`, is a task with its own limit in money, in runs, or in both.",
        },
        {
          list: [
            "Set it under Budgets on a [key](/keys), on the page that connects an agent, or for the whole account in the [settings](/settings).",
            "A run that does not name its task is rejected with 400. Otherwise a caller could evade the cap by leaving the key out.",
            "A run is rejected with 402 if it could exceed the cap. Many runs at once never exceed it together.",
            "A key with a cap can neither change the cap nor create keys. It can choose new values, so also give it a budget, which limits all its tasks together.",
          ],
        },
        { snippet: "cappedKey" },
      ],
      missing,
    },
    {
      title: "Name the task",
      parts: [
        {
          text: "Send the metadata key with each run, in the field `metadata` or in the header `x-svc-metadata`. In a 402, the field `error.task` contains the amount that the task has spent, and its limits. Do not retry it: stop, and ask a person.",
        },
        { snippet: "cappedRuns" },
      ],
      missing,
    },
    {
      title: "Raise and end",
      parts: [
        {
          text: "[Tasks](/usage/tasks) lists what each task spent. When a run of a connection is rejected, the owner of the connection gets a notice with a button that doubles the cap of that task.",
        },
        {
          list: [
            "Raise gives one task a higher cap. All runs since its first one count toward this cap. The caps of other tasks do not change.",
            "End rejects every further run of a task, until somebody raises its cap. Runs that have already started finish, and are billed.",
            "A task is forgotten 30 days after its last run. The same value then starts at zero.",
            "Programs can do the same with `POST /tasks/{id}/raise` and `POST /tasks/{id}/end`.",
          ],
        },
      ],
      missing,
    },
  ],
};
