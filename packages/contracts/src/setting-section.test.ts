import { describe, expect, it } from 'vitest'
import { SETTINGS } from './setting.ts'
import { settingSection } from './setting-section.ts'

describe('sections of the settings', () => {
  it('each setting has its own place in the forms', () => {
    expect(Object.keys(SETTINGS).filter(key => settingSection(key) === 'other')).toEqual([])
  })
})
