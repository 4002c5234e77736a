import{o,s}from"./main-ej2mh1dj.js";var c=200;function ie(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{ie};
