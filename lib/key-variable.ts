/** The environment variable with the account key, in snippets, `.env` lines and the command line. */
export const keyVariable = "GATEHOUSE_API_KEY";
