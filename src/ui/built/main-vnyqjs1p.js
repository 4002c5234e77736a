import{o,s}from"./main-d573j17v.js";var c=200;function ie(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{ie};
