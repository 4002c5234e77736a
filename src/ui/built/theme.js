function e(){try{return localStorage.getItem("theme")}catch{return null}}var t=e();if(t==="light"||t==="dark")document.documentElement.dataset.theme=t;
