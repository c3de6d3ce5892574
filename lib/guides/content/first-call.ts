import type { Guide } from "../guide.ts";

export const firstCallGuide: Guide = {
  sections: [
    {
      title: "Create a key",
      parts: [
        {
          text: "Create an account key on [Keys](/keys) and put it in the environment variable `GATEHOUSE_API_KEY`. It is shown only once. Keep it on your server: never in a browser, an app or a repository.",
        },
      ],
      missing: "This gateway has no page for keys. Ask its operator for one: `gatehouse keys create`.",
    },
    {
      title: "Send a request",
      parts: [
        { text: "The base URL is `{base}`. Every request has the key as its bearer token." },
        { snippet: "firstCall" },
        {
          text: "The Node.js code needs `npm install openai`. Clients for OpenAI work unchanged when their base URL is set. The shell code of these guides uses curl and jq.",
        },
      ],
    },
    {
      title: "Choose a model",
      parts: [
        {
          text: "The [catalog](/catalog) lists every model with its parameters, limits and regions. The same list is public at `GET /models`:",
        },
        { snippet: "findModels" },
        {
          text: "In the playground of a model, the Code tab shows your own request in three languages. The [API reference](/api-reference) has every route.",
        },
      ],
    },
  ],
};
