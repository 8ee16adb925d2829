-- A digest of two accounts' outlines. A previewed change is refused if the digest has changed.
-- Locks: none
create or replace function outlines_digest(p_one uuid, p_other uuid) returns text language sql stable as $$
    select encode(sha256(convert_to(jsonb_build_array(account_outline(p_one), account_outline(p_other))::text, 'UTF8')), 'hex');
$$;
