/** A module that is loaded late, and with it the first class of arguments of its application. */
import { Module } from '@nestjs/common';
import { IsString, MinLength } from 'class-validator';
import { McpTool } from 'nestjs-mcp-gate';

class Question {
  @IsString()
  @MinLength(3)
  text!: string;
}

class LateTools {
  @McpTool({ name: 'ask', description: 'Takes a class of arguments.' })
  ask(question: Question) {
    return `${question instanceof Question} ${question.text}`;
  }

  getMcpTools() {
    return [{ name: 'given', description: 'Given.', inputSchema: { type: 'object' }, handler: () => 'given' }];
  }
}

@Module({ providers: [LateTools] })
export class LateModule {}
