import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { SearchIndex } from './search-index.service.js';
import { SearchIndexTools } from './search-index.tools.js';
import { SearchService } from './search.service.js';
import { SearchTools } from './search.tools.js';

@Module({
  imports: [DatabaseModule, SettingsModule],
  providers: [SearchIndex, SearchService, SearchTools, SearchIndexTools],
  exports: [SearchIndex],
})
export class SearchModule {}
