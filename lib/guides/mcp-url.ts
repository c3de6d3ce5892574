/** Where the gateway's tools for agents are: beside its API, whose base URL ends in `/v1`. */
export function mcpUrl(baseUrl: string): string {
  return `${baseUrl.replace(/\/v1$/, "")}/mcp`;
}
