// Buttons that copy the text below them. Without this they are not shown, and the text can be selected.

export function copies() {
  for (const one of document.querySelectorAll('.copy')) {
    one.hidden = false;
    one.addEventListener('click', async () => {
      const text = one.closest('.markup').querySelector('textarea');
      const told = one.nextElementSibling;
      try {
        await navigator.clipboard.writeText(text.value);
        told.textContent = one.dataset.done;
      } catch {
        text.select();
        told.textContent = document.execCommand('copy') ? one.dataset.done : one.dataset.failed;
      }
    });
  }
}
