import { Deleted, NoQuery, PageQuery } from "../list.ts";
import {
  AccountBudgets,
  AccountBudgetsUpdate,
  CreditAdded,
  CreditCreate,
  CreditList,
  OperatorCreditList,
} from "../money/credits.ts";
import { Task, TaskList, TaskQuery, TaskRaise } from "../money/tasks.ts";
import type { Routes } from "./route.ts";

export const budgetRoutes = {
  "GET /account/budgets": {
    summary: "Read the account's budgets in money, and its remaining credit",
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

/** Tasks: the values of a capped metadata key. */
export const taskRoutes = {
  "GET /tasks": {
    summary: "List tasks (values of a capped metadata key) with what they spent",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: TaskQuery,
    answers: { 200: TaskList },
  },
  "GET /tasks/{id}": {
    summary: "Read a task",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    answers: { 200: Task },
  },
  "POST /tasks/{id}/raise": {
    summary: "Raise the limits of one task, and reopen it if it was ended",
    permission: "keys:own",
    extension: true,
    byClick: true,
    body: TaskRaise,
    answers: { 200: Task },
  },
  "POST /tasks/{id}/end": {
    summary: "End a task: its further runs are refused",
    permission: "keys:own",
    extension: true,
    byClick: true,
    answers: { 200: Task },
  },
} as const satisfies Routes;

export const operatorCreditRoutes = {
  "GET /operator/accounts/{id}/credits": {
    summary: "List the credits of an account, and its balance",
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
    summary: "End the prepayment of an account: its runs no longer need credit",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
