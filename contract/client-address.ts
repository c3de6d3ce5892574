/** The signed header in which the console passes the browser's IP address to the gateway. */
export const clientAddressHeader = "x-gatehouse-client";

/** Names the account of a request, for members of several accounts. Every page loads it, and no schema. */
export const accountHeader = "x-svc-account";
