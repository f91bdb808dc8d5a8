/** The formats in which programs keep their settings. */
import { jsonSettings } from './json-settings.ts';
import type { SettingsFormat } from './settings-format.ts';
import { tomlSettings } from './toml-settings.ts';
import { yamlSettings } from './yaml-settings.ts';

export function settingsFormat(name: 'json' | 'toml' | 'yaml' = 'json'): SettingsFormat {
  return { json: jsonSettings, toml: tomlSettings, yaml: yamlSettings }[name];
}
