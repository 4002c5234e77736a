var e=localStorage.getItem("theme");if(e==="light"||e==="dark")document.documentElement.dataset.theme=e;
