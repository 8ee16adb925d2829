-- What operators see of an agent beside its settings: its document, its host, whether it was invited, the accounts with a grant for
-- it, and its last use. Null for the client of an operator.
-- Locks: none
create or replace function agent_outline(p_client text) returns jsonb language sql stable as $$
    select jsonb_build_object(
               'document', d.url, 'host', substring(coalesce(d.url, c.redirect_uris[1]) from '^[a-z]+://([[][^]]*[]]|[^/:?#]+)'),
               'invited', a.is_invited, 'withdrawn', c.withdrawn,
               'accounts', (select count(*) from app_grants g where g.client_id = p_client and g.expires_at > now()),
               'last_used_at', utc(a.used_at))
      from agents a join clients c on c.id = a.client_id left join client_documents d on d.client_id = a.client_id
     where a.client_id = p_client;
$$;
