import{Se,e,ee}from"./main-ej2mh1dj.js";import{pt}from"./main-k1fy6fc3.js";import{p}from"./main-mb4kkdf4.js";var q=({href:o,onClick:r,...t})=>e("a",{...t,href:o,download:!0,onClick:(n)=>{if(r?.(),!Se())return;n.preventDefault(),p(async()=>pt(await ee(o)))}});
export{q};
