/** What the page expects from each of its views. */

export interface View {
  readonly element: HTMLElement;
  /** Called with the parts of the address, first and whenever they change. */
  show?(parts: readonly string[]): void;
  /** Returns whether the key was used. */
  key?(event: KeyboardEvent, isTyping: boolean): boolean;
  /** Called when another view is shown. */
  leave?(): void;
}
