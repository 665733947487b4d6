/**
 * In whose name a profile asks: the account behind the token, or another whose roles are among that account's.
 */
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { McpAccount } from '../../account.js';
import { establishCaller, type McpCaller } from '../../caller.js';
import { McpRequestContext } from '../../runs/ambient.js';
import { McpToolFailure } from '../../tools/failure.js';
import { callingGate } from '../project/calling-gate.js';

@Injectable()
export class ProfiledAccounts {
  constructor(private readonly modules: ModuleRef) {}

  /**
   * The account.
   *
   * @throws McpToolFailure, the same whether the other account is unknown, not active or may do more than the owner.
   */
  async of(caller: McpCaller, as: string | undefined): Promise<McpAccount> {
    const owner = McpRequestContext.account()!; // `@ActsForUser()` has seen to it
    if (as === undefined) return owner;
    const other = await this.find(caller, as);
    const mayBeTaken = other?.active === true && other.roles.every((role) => owner.roles.includes(role));
    if (!mayBeTaken)
      throw new McpToolFailure(`The account "${as}" cannot be taken: it is not there, or may do more than yours.`);
    return other;
  }

  /** By the same resolver that finds the owner, as if the other had called. */
  private async find({ issuer }: McpCaller, subject: string): Promise<McpAccount | undefined> {
    const accounts = callingGate(this.modules)?.settings.accounts;
    return accounts?.(establishCaller({ authenticated: true, subject, ...(issuer !== undefined && { issuer }) }));
  }
}
