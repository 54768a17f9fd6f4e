# A SPARQL 1.1 update. The data are the default graph, as `isolog convert DATA facts.nt` writes them: names
# that are not IRIs are `<urn:isolog:…>`. What is derived goes to the graph below, which is cleared before.
# RDF has no facts about a literal as first argument, so none are derived.
DROP SILENT GRAPH <urn:isolog:derived> ;
DROP SILENT GRAPH <urn:isolog:auxiliary:aux_busy> ;
DROP SILENT GRAPH <urn:isolog:auxiliary:values_1> ;
DROP SILENT GRAPH <urn:isolog:auxiliary:enough_1> ;
INSERT { GRAPH <urn:isolog:auxiliary:aux_busy> { [] <urn:isolog:auxiliary:0> true ; <urn:isolog:auxiliary:1> ?X . } }
WHERE {
  { SELECT DISTINCT ?X WHERE {
    ?X <urn:isolog:works> ?_1 .
  } }
} ;
INSERT { GRAPH <urn:isolog:derived> { ?X <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/free> . } }
WHERE {
  ?X <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:isolog:person> .
  FILTER NOT EXISTS { GRAPH <urn:isolog:auxiliary:aux_busy> { ?_1 <urn:isolog:auxiliary:0> true ; <urn:isolog:auxiliary:1> ?X . } }
} ;
INSERT { GRAPH <urn:isolog:auxiliary:values_1> { [] <urn:isolog:auxiliary:0> true ; <urn:isolog:auxiliary:1> ?X ; <urn:isolog:auxiliary:2> ?Y . } }
WHERE {
  { SELECT DISTINCT ?X ?Y WHERE {
    ?Y <urn:isolog:follows> ?X .
    FILTER(!sameTerm(?Y, ?X))
  } }
} ;
INSERT { GRAPH <urn:isolog:auxiliary:enough_1> { [] <urn:isolog:auxiliary:0> true ; <urn:isolog:auxiliary:1> ?X . } }
WHERE {
  { SELECT DISTINCT ?X WHERE {
    { SELECT ?X (COUNT(DISTINCT ?Y) AS ?number) WHERE { GRAPH <urn:isolog:auxiliary:values_1> { ?_1 <urn:isolog:auxiliary:0> true ; <urn:isolog:auxiliary:1> ?X ; <urn:isolog:auxiliary:2> ?Y . } } GROUP BY ?X }
    FILTER(?number >= 3)
  } }
} ;
INSERT { GRAPH <urn:isolog:derived> { ?X <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:isolog:popular> . } }
WHERE {
  ?X <urn:isolog:likes> "tea"@en .
  GRAPH <urn:isolog:auxiliary:enough_1> { ?_1 <urn:isolog:auxiliary:0> true ; <urn:isolog:auxiliary:1> ?X . }
} ;
INSERT { GRAPH <urn:isolog:derived> { ?X <urn:isolog:stranger> ?Y . } }
WHERE {
  ?X <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:isolog:person> .
  ?_1 <urn:isolog:follows> ?Y .
  FILTER NOT EXISTS { ?X <urn:isolog:follows> ?Y . }
} ;
INSERT { GRAPH <urn:isolog:derived> { ?X <urn:isolog:near> ?Y . } }
WHERE {
  ?X <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:isolog:person> .
  { SELECT DISTINCT ?Y WHERE { { ?Y ?_1 ?_2 } UNION { ?_3 ?_4 ?Y FILTER(?_4 != <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> || isLiteral(?Y)) } } }
  FILTER(!sameTerm(?X, ?Y))
} ;
DROP SILENT GRAPH <urn:isolog:auxiliary:aux_busy> ;
DROP SILENT GRAPH <urn:isolog:auxiliary:values_1> ;
DROP SILENT GRAPH <urn:isolog:auxiliary:enough_1>
