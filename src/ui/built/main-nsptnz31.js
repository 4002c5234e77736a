import{o,s}from"./main-nxn3tjaq.js";var c=200;function z(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{z};
