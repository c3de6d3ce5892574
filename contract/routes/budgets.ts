import { Deleted, NoQuery, PageQuery } from "../list.ts";
import {
  AccountBudgets,
  AccountBudgetsUpdate,
  CreditAdded,
  CreditCreate,
  CreditList,
  OperatorCreditList,
} from "../money/credits.ts";
import type { Routes } from "./route.ts";

export const budgetRoutes = {
  "GET /account/budgets": {
    summary: "Read the account's budgets in money, and what is left of its credit",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: AccountBudgets },
  },
  "PATCH /account/budgets": {
    summary: "Change the account's budgets in money",
    permission: "budgets:manage",
    extension: true,
    byClick: true,
    body: AccountBudgetsUpdate,
    answers: { 200: AccountBudgets },
  },
  "GET /account/credits": {
    summary: "List the credits of a prepaid account",
    permission: "usage:read",
    extension: true,
    query: PageQuery,
    answers: { 200: CreditList },
  },
} as const satisfies Routes;

export const operatorCreditRoutes = {
  "GET /operator/accounts/{id}/credits": {
    summary: "List the credits of an account, and what is left",
    operator: true,
    extension: true,
    query: PageQuery,
    answers: { 200: OperatorCreditList },
  },
  "POST /operator/accounts/{id}/credits": {
    summary: "Add credit to an account, which makes it prepaid",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: CreditCreate,
    answers: { 201: CreditAdded },
  },
  "DELETE /operator/accounts/{id}/credits": {
    summary: "End the prepayment of an account: its credit limits it no more",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
