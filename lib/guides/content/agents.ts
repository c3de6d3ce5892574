import type { Guide } from "../guide.ts";

const missing = "This gateway has no tools for agents.";

export const agentsGuide: Guide = {
  sections: [
    {
      title: "Connect",
      parts: [
        {
          text: "Agents find the gateway's tools at `{mcp}`, over the Model Context Protocol (streamable HTTP), with a key as the bearer. Make a [key](/keys) for each agent: its models, limits, budget and end are those of everything that the agent does, and revoking it ends that.",
        },
        {
          head: ["Agent", "Settings"],
          rows: [
            [
              "Claude Code",
              '`claude mcp add --transport http gatehouse {mcp} --header "Authorization: Bearer $GATEHOUSE_API_KEY"`',
            ],
            [
              "Codex",
              'In `config.toml`: `[mcp_servers.gatehouse]` with `url = "{mcp}"` and `bearer_token_env_var = "GATEHOUSE_API_KEY"`',
            ],
            [
              "Desktop and editors",
              'In their list of servers: `"gatehouse": { "url": "{mcp}", "headers": { "Authorization": "Bearer …" } }`',
            ],
          ],
        },
        {
          text: "Agents that only connect by a sign-in in the browser, as hosted ones do, cannot connect yet: they need a field for a header.",
        },
      ],
      missing,
    },
    {
      title: "What they can do",
      parts: [
        {
          head: ["Tool", "What it does"],
          rows: [
            ["`search_models`", "Finds the models that the key may use"],
            ["`describe_model`", "Says what a model takes, with an example"],
            ["`run`", "Runs it, waits up to 50 seconds, and tells how it stands meanwhile"],
            ["`get_run`", "Reads a run that took longer, or waits for it"],
            ["`cancel_run`", "Stops one"],
            ["`upload_link`", "Makes a signed address to put a file of yours to"],
          ],
        },
        {
          text: "Pictures, speech and videos come as addresses that work for a while, never as base64, which would fill what an agent can remember. With `show` it also sees small pictures. Every call stands in [Requests](/requests) and in [Usage](/usage) under its key.",
        },
        { snippet: "mcpClient" },
      ],
      missing,
    },
    {
      title: "What only a person can do",
      parts: [
        {
          text: "An agent cannot attest, and cannot confirm the rights of a person in a picture: it gets a link for you instead. A model that needs an attestation runs for an agent only with a key that names this model, and while your attestation stands. See [Gates](/guides/gates).",
        },
      ],
      missing,
    },
  ],
};
