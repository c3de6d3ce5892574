/** In which the console tells the gateway the address of the browser that it asks for, signed. */
export const clientAddressHeader = "x-gatehouse-client";
